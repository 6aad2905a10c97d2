import type { Metadata } from 'next'

export { ChangeEmailPage as default } from '@svc/web/account/next'
export const metadata: Metadata = { title: 'Change your email' }
