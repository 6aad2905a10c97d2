import type { InvitationStatus } from '@svc/auth'
import type { AccountSentence } from '../words/account-words.ts'

export const statusWords: Record<InvitationStatus, AccountSentence> = {
  pending: 'Waiting',
  accepted: 'Accepted',
  cancelled: 'Cancelled',
  expired: 'Expired',
}
