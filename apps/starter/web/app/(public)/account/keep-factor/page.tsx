import type { Metadata } from 'next'

export { KeepFactorPage as default } from '@svc/web/account/next'
export const metadata: Metadata = { title: 'Keep your second step' }
