import type { Metadata } from 'next'

export { LinkDevicePage as default } from '@svc/web/account/next'
export const metadata: Metadata = { title: 'Sign in with another device' }
