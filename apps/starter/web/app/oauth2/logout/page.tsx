import type { Metadata } from 'next'

export { LogoutPage as default } from '@svc/web/account/next'
export const metadata: Metadata = { title: 'Sign out' }
