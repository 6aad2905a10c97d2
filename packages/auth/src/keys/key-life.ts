import type { AuthEnv } from '../env.ts'

/** A `machine` is a program of the account's owner: it has a part of their permissions, and signs nobody in. */
export type KeyKind = 'device' | 'machine'

/** What a key is tied to: where that is not at hand, it ends within hours. */
export type KeyBinding = 'passkey'

/** A key lives so long from its registration or rotation, unless it is bound. */
export const lifeMillis = 90 * 86_400_000

/**
 * How long a key signs, and since when its owner has not signed in anew: a rotation must stretch neither what a key is
 * bound for, nor what only who has signed in a moment ago may do.
 */
export interface KeyLife {
  binding: KeyBinding | null
  expiresAt: Date
  authenticatedAt: Date
}

/** Of a key that comes in nobody's place. */
export function fullLife(now: Date): KeyLife {
  return { binding: null, expiresAt: new Date(now.getTime() + lifeMillis), authenticatedAt: now }
}

type WindowEnv = Pick<AuthEnv, 'SVC_AUTH_BOUND_KEY_TTL_HOURS'>

/** When the window of a bound key ends that opens now. */
export function windowEnd({ SVC_AUTH_BOUND_KEY_TTL_HOURS: hours }: WindowEnv, now: Date) {
  return new Date(now.getTime() + hours * 3_600_000)
}

/** Of the key that a renewal puts in the place of a bound one: nothing else moves the window. */
export function renewedLife(env: WindowEnv, now: Date): KeyLife {
  return { binding: 'passkey', expiresAt: windowEnd(env, now), authenticatedAt: now }
}

/**
 * Of the key that a rotation puts in the place of another: a bound one gets what is left of the window, and a
 * machine's what is left of its life.
 */
export function successorLife(
  { kind = 'device', binding, expiresAt, authenticatedAt }: KeyLife & { kind?: KeyKind },
  now: Date,
): KeyLife {
  const isTimed = binding !== null || kind === 'machine'
  return { ...(isTimed ? { binding, expiresAt } : fullLife(now)), authenticatedAt }
}
