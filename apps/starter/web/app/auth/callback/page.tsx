import type { Metadata } from 'next'

export { SocialCallbackPage as default } from '@svc/web/account/next'
export const metadata: Metadata = { title: 'Signing in' }
