import type { Metadata } from 'next'

export { ProfilePage as default } from '@svc/web/account/next'
export const metadata: Metadata = { title: 'Profile' }
