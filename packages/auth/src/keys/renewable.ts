import type { Tx } from '@svc/core'
import { and, eq, gt } from 'drizzle-orm'
import type { Needs } from '../auth.ts'
import type { KeyBinding } from '../caller/caller.ts'
import { deviceKeys } from './schema.ts'
import { inState } from './store.ts'

interface Bound {
  binding: KeyBinding | null
  keyExpiresAt: Date
}

/** Whether a renewal may put another key in the place of this one: it is bound, and has not been over for long. */
export function isRenewable({ binding, keyExpiresAt }: Bound, endedAfter: Date) {
  return binding === 'passkey' && keyExpiresAt > endedAfter
}

/** A key that ended then or before is not renewed any more. */
export function renewableAfter({ env }: Needs<'env'>, now: Date) {
  return new Date(now.getTime() - env.SVC_AUTH_BOUND_KEY_RENEW_GRACE_HOURS * 3_600_000)
}

interface Renewal {
  keyId: string
  userId: string
  endedAfter: Date
  now: Date
}

/** active → revoked, while it may be renewed. The key as it was; null when somebody was faster. */
export async function revokeRenewable(tx: Tx, { endedAfter, now, ...key }: Renewal) {
  const [renewed] = await tx
    .update(deviceKeys)
    .set({ state: 'revoked', revokedAt: now, revokedReason: 'renewed' })
    .where(
      and(
        inState(key, 'active'),
        eq(deviceKeys.binding, 'passkey'),
        gt(deviceKeys.expiresAt, endedAfter),
      ),
    )
    .returning()
  return renewed ?? null
}
