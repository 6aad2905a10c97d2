import type { Metadata } from 'next'

export { CompleteSignUpPage as default } from '@svc/web/account/next'
export const metadata: Metadata = { title: 'Create an account' }
