import type { Metadata } from 'next'

export { SocialErrorPage as default } from '@svc/web/account/next'
export const metadata: Metadata = { title: 'Not signed in' }
