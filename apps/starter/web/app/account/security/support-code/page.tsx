import type { Metadata } from 'next'

export { SupportCodePage as default } from '@svc/web/account/next'
export const metadata: Metadata = { title: 'A code for support' }
