import type { Db, Tx } from '@svc/core'
import { and, eq, gt, isNull, sql } from 'drizzle-orm'
import type { Needs } from '../auth.ts'
import type { KeyBinding } from '../caller/caller.ts'
import type { KeyLife } from '../capability/capability.ts'
import type { AuthEnv } from '../env.ts'
import { deviceKeys, type KeyKind } from './schema.ts'
import { inState } from './store.ts'

/** How long a key lives from its registration or rotation, unless it is bound. */
const lifeMillis = 90 * 86_400_000

/** For a key that a sign-in registers. */
export function fullLife(now: Date, signedInBy: string | null = null): KeyLife {
  const expiresAt = new Date(now.getTime() + lifeMillis)
  const signIn = { signedInAt: now, signedInBy }
  return { binding: null, expiresAt, authenticatedAt: now, madeByKeyId: null, ...signIn }
}

type WindowEnv = Pick<AuthEnv, 'SVC_AUTH_BOUND_KEY_TTL_HOURS'>

/** The end of a bound key's window that starts now. */
export function windowEnd({ SVC_AUTH_BOUND_KEY_TTL_HOURS: hours }: WindowEnv, now: Date) {
  return new Date(now.getTime() + hours * 3_600_000)
}

/**
 * The life of a key that a renewal puts in place of a bound one: nothing else moves the window
 * (A-256).
 */
export function renewedLife(
  env: WindowEnv,
  { madeByKeyId }: Pick<KeyLife, 'madeByKeyId'>,
  now: Date,
): KeyLife {
  const expiresAt = windowEnd(env, now)
  const signIn = { signedInAt: now, signedInBy: 'passkey' }
  return { binding: 'passkey', expiresAt, authenticatedAt: now, madeByKeyId, ...signIn }
}

/** When a key was used. */
interface Used {
  lastUsedAt?: Date | null
  createdAt?: Date
}

/**
 * The life of a key that a rotation puts in place of another: a bound one gets the rest of the
 * window, and a machine's the rest of its life. A device that was unused for long is not
 * in use again because its key is replaced.
 */
export function successorLife(
  { kind = 'device', binding, expiresAt, ...kept }: KeyLife & Used & { kind?: KeyKind },
  now: Date,
): KeyLife {
  const { authenticatedAt, madeByKeyId, signedInAt = null, signedInBy = null } = kept
  const isTimed = binding !== null || kind === 'machine'
  const life = isTimed ? { binding, expiresAt } : fullLife(now)
  const signIn = { signedInAt, signedInBy, unusedSeconds: unusedSecondsOf(kept, now) }
  return { ...life, authenticatedAt, madeByKeyId, ...signIn }
}

function unusedSecondsOf(
  { unusedSeconds, signedInAt, lastUsedAt, createdAt }: Partial<KeyLife> & Used,
  now: Date,
) {
  const seenAt = Math.max(...[signedInAt, lastUsedAt, createdAt].map((at) => at?.getTime() ?? 0))
  if (seenAt === 0) return unusedSeconds ?? null
  return Math.max(unusedSeconds ?? 0, Math.floor((now.getTime() - seenAt) / 1000))
}

interface Own {
  keyId: string
  userId: string
}

const window = { binding: deviceKeys.binding, expiresAt: deviceKeys.expiresAt }

/**
 * Unbound → bound, which never lengthens a life. Null if it was bound already: its window stays.
 */
export async function bindKey(
  tx: Tx,
  { binding, until, ...key }: Own & { binding: KeyBinding; until: Date },
) {
  const [bound] = await tx
    .update(deviceKeys)
    .set({ binding, expiresAt: sql`least(${deviceKeys.expiresAt}, ${until})` })
    .where(and(inState(key, 'active'), isNull(deviceKeys.binding)))
    .returning(window)
  return bound ?? null
}

/**
 * Bound → unbound, for a key that still signs: it gets the rest of the life it would have had
 * without the binding, if any is left.
 */
export async function unbindKey(
  tx: Tx,
  { binding, now, ...key }: Own & { binding: KeyBinding; now: Date },
) {
  const wholeLife = sql`${deviceKeys.createdAt} + make_interval(secs => ${lifeMillis / 1000}::float8)`
  const [unbound] = await tx
    .update(deviceKeys)
    .set({
      binding: null,
      expiresAt: sql`case when ${wholeLife} > ${now} then ${wholeLife} else ${deviceKeys.expiresAt} end`,
    })
    .where(
      and(inState(key, 'active'), eq(deviceKeys.binding, binding), gt(deviceKeys.expiresAt, now)),
    )
    .returning(window)
  return unbound ?? null
}

/** How a key that still signs is bound by now. */
export async function windowOf(db: Db, key: Own) {
  const [found] = await db.select(window).from(deviceKeys).where(inState(key, 'active'))
  return found ?? null
}

interface Bound {
  binding: KeyBinding | null
  keyExpiresAt: Date
}

/** Whether a renewal may replace this key: it is bound, and expired not long ago. */
export function isRenewable({ binding, keyExpiresAt }: Bound, endedAfter: Date) {
  return binding === 'passkey' && keyExpiresAt > endedAfter
}

/** A key that expired then or before can't be renewed any more. */
export function renewableAfter({ env }: Needs<'env'>, now: Date) {
  return new Date(now.getTime() - env.SVC_AUTH_BOUND_KEY_RENEW_GRACE_HOURS * 3_600_000)
}

interface Renewal {
  keyId: string
  userId: string
  endedAfter: Date
  now: Date
}

/**
 * active → revoked, while it may be renewed. Returns the key as it was; null if another request was
 * faster.
 */
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
