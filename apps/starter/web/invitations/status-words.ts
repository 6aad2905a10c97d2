import type { InvitationStatus } from '@svc/auth'

export const statusWords: Record<InvitationStatus, string> = {
  pending: 'Waiting',
  accepted: 'Accepted',
  cancelled: 'Cancelled',
  expired: 'Expired',
}
