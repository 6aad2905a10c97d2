import type { Metadata } from 'next'

export { TwoStepPage as default } from '@svc/web/account/next'
export const metadata: Metadata = { title: 'Two-step sign-in' }
