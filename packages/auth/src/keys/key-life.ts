import type { KeyLife } from '../capability/ways.ts'
import type { AuthEnv } from '../env.ts'

/** A `machine` is a program of the account's owner: it has a part of their permissions, and signs nobody in. */
export type KeyKind = 'device' | 'machine'

/** A key lives so long from its registration or rotation, unless it is bound. */
export const lifeMillis = 90 * 86_400_000

/** For a key that a sign-in registers. */
export function fullLife(now: Date): KeyLife {
  const expiresAt = new Date(now.getTime() + lifeMillis)
  return { binding: null, expiresAt, authenticatedAt: now, madeByKeyId: null }
}

type WindowEnv = Pick<AuthEnv, 'SVC_AUTH_BOUND_KEY_TTL_HOURS'>

/** When the window of a bound key ends that opens now. */
export function windowEnd({ SVC_AUTH_BOUND_KEY_TTL_HOURS: hours }: WindowEnv, now: Date) {
  return new Date(now.getTime() + hours * 3_600_000)
}

/** Of the key that a renewal puts in the place of a bound one: nothing else moves the window. */
export function renewedLife(
  env: WindowEnv,
  { madeByKeyId }: Pick<KeyLife, 'madeByKeyId'>,
  now: Date,
): KeyLife {
  const expiresAt = windowEnd(env, now)
  return { binding: 'passkey', expiresAt, authenticatedAt: now, madeByKeyId }
}

/**
 * Of the key that a rotation puts in the place of another: a bound one gets what is left of the window, and a
 * machine's what is left of its life.
 */
export function successorLife(
  { kind = 'device', binding, expiresAt, ...kept }: KeyLife & { kind?: KeyKind },
  now: Date,
): KeyLife {
  const { authenticatedAt, madeByKeyId } = kept
  const isTimed = binding !== null || kind === 'machine'
  const life = isTimed ? { binding, expiresAt } : fullLife(now)
  return { ...life, authenticatedAt, madeByKeyId }
}
