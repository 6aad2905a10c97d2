import type { Metadata } from 'next'

export { RestoreAccountPage as default } from '@svc/web/account/next'
export const metadata: Metadata = { title: 'Restore your account' }
