import type { Metadata } from 'next'

export { ConsentPage as default } from '@svc/web/account/next'
export const metadata: Metadata = { title: 'Allow access' }
