import type { AccountRow, CallerRow } from './caller-types.ts'
import type { CallerFacts, SignInFacts } from './standing.ts'

/** For statements in which the table of keys is `k`. They are read only with a standing. */
export const keyFactColumns = `
  k.created_at as "createdAt", k.signed_in_at as "signedInAt", k.signed_in_by as "signedInBy",
  k.unused_seconds as "unusedSeconds"`

/** What of a key `keyFactColumns` adds to the row of a caller. */
export interface KeyFacts {
  createdAt: Date
  signedInAt: Date | null
  signedInBy: string | null
  unusedSeconds: number | null
}

type FactsOfKey = KeyFacts & Pick<CallerRow, 'kind' | 'authenticatedAt' | 'lastUsedAt'>

interface FactsRow extends Pick<AccountRow, 'email' | 'emailVerifiedAt' | 'secondFactorSince'> {
  readonly key: FactsOfKey | null
}

export function factsFrom(row: FactsRow, now: Date): CallerFacts {
  return {
    now,
    email: row.emailVerifiedAt && row.email,
    hasSecondFactor: row.secondFactorSince !== null,
    signIn: row.key?.kind === 'device' ? signInFrom(row.key, now) : null,
  }
}

function signInFrom(key: FactsOfKey, now: Date): SignInFacts {
  const { createdAt, authenticatedAt, signedInAt, lastUsedAt, unusedSeconds } = key
  // A rotation makes a new row, and keeps when its owner last proved something.
  const at = signedInAt ?? (createdAt < authenticatedAt ? createdAt : authenticatedAt)
  const seenMillis = Math.max(
    ...[createdAt, signedInAt, lastUsedAt].map((moment) => +(moment ?? 0)),
  )
  const sinceSeconds = (now.getTime() - seenMillis) / 1000
  return { by: key.signedInBy, at, unusedSeconds: Math.max(unusedSeconds ?? 0, sinceSeconds) }
}
