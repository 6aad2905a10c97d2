import type { Metadata } from 'next'

export { RenewSessionPage as default } from '@svc/web/account/next'
export const metadata: Metadata = { title: 'Continue' }
