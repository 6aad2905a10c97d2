import type { Metadata } from 'next'

export { ApproveDevicePage as default } from '@svc/web/account/next'
export const metadata: Metadata = { title: 'Link a device' }
