import type { Metadata } from 'next'

export { ForgotPasswordPage as default } from '@svc/web/account/next'
export const metadata: Metadata = { title: 'Forgotten password' }
