import type { Needs } from '../auth.ts'
import type { InvitationStatus } from './contract.ts'
import { invitationItem } from './invitation-item.ts'
import * as store from './store.ts'

export interface InvitationQuery {
  status?: InvitationStatus | undefined
  page?: number | undefined
  limit?: number | undefined
}

export async function listInvitations(
  { db, clock }: Needs<'db' | 'clock'>,
  { status, page = 1, limit = 20 }: InvitationQuery,
) {
  const now = clock.now()
  const [rows, total] = await store.list(db, { status, page, limit, now })
  return { items: rows.map((row) => invitationItem(row, now)), page, limit, total }
}
