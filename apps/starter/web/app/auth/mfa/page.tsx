import type { Metadata } from 'next'

export { SecondStepPage as default } from '@svc/web/account/next'
export const metadata: Metadata = { title: 'Second step' }
