import type { Metadata } from 'next'

export { ApprovalsPage as default } from '@svc/web/account/next'
export const metadata: Metadata = { title: 'Approvals' }
