import type { Metadata } from 'next'

export { AgentsPage as default } from '@svc/web/account/next'
export const metadata: Metadata = { title: 'Connected agents' }
