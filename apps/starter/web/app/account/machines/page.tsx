import type { Metadata } from 'next'

export { MachinesPage as default } from '@svc/web/account/next'
export const metadata: Metadata = { title: 'Machine keys' }
