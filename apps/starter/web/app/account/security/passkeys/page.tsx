import type { Metadata } from 'next'

export { PasskeysPage as default } from '@svc/web/account/next'
export const metadata: Metadata = { title: 'Passkeys' }
