import type { Metadata } from 'next'

export { LinkedAccountsPage as default } from '@svc/web/account/next'
export const metadata: Metadata = { title: 'Linked accounts' }
