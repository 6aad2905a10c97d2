import type { Metadata } from 'next'

export { ResetPasswordPage as default } from '@svc/web/account/next'
export const metadata: Metadata = { title: 'New password' }
