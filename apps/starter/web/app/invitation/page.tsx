import type { Metadata } from 'next'

export { AcceptInvitationPage as default } from '@svc/web/account/next'
export const metadata: Metadata = { title: 'Invitation' }
