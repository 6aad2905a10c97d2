import type { Metadata } from 'next'

export { DevicesPage as default } from '@svc/web/account/next'
export const metadata: Metadata = { title: 'Devices' }
