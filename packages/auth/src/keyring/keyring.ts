import type { Db } from '@svc/core'
import { notInArray, sql } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/pg-core'
import { type Needs, runningAuth } from '../auth.ts'
import { ringKeysOfFactors } from '../mfa/mfa.ts'
import { ringKeysOfTokens } from '../social/social.ts'

/** A key of the keyring, and how many stored secrets still need it. */
export interface RingKeyUse {
  /** `enc:v1` stands for tokens in the previous form: any of the keys may be theirs. */
  keyId: string
  /** What is written from now on is encrypted with it. */
  isActive: boolean
  /** How many authenticator apps need it. */
  secondFactors: number
  /** How many unused recovery codes need it. */
  recoveryCodes: number
  /** How many tokens of providers need it. */
  providerTokens: number
}

/**
 * What needs each key of the keyring, and each removed one. You may remove a key that nothing
 * needs.
 */
export async function keyringUse(): Promise<RingKeyUse[]> {
  const { db, keyring } = runningAuth()
  const counted = new Map((await countByRingKey(db)).map((use) => [use.keyId, use]))
  const keyIds = new Set([...(keyring?.keys.keys() ?? []), ...counted.keys()])
  return [...keyIds].map((keyId) => ({
    ...(counted.get(keyId) ?? { keyId, ...unused }),
    isActive: keyId === keyring?.activeKeyId,
  }))
}

const unused = { secondFactors: 0, recoveryCodes: 0, providerTokens: 0 }

/**
 * If a key was removed too early, the accounts that need it can't sign in. The start goes on,
 * because all others can.
 */
export async function reportMissingRingKeys({ db, keyring, log }: Needs<'db' | 'keyring' | 'log'>) {
  const missing = await accountsByMissingKey(db, [...(keyring?.keys.keys() ?? [])])
  if (missing.length === 0) return
  log.error(
    { missing },
    'SVC_AUTH_TOKEN_ENCRYPTION_KEYS lacks keys that stored values need: add the missing ones',
  )
}

const named = (db: Db) => unionAll(ringKeysOfFactors(db), ringKeysOfTokens(db)).as('named')

function countByRingKey(db: Db) {
  const rows = named(db)
  const count = (kind: string) => sql<number>`(count(*) filter (where ${rows.kind} = ${kind}))::int`
  return db
    .select({
      keyId: rows.keyId,
      secondFactors: count('secondFactors'),
      recoveryCodes: count('recoveryCodes'),
      providerTokens: count('providerTokens'),
    })
    .from(rows)
    .groupBy(rows.keyId)
}

/** How many accounts need a key that is not among these. */
function accountsByMissingKey(db: Db, keyIds: readonly string[]) {
  const rows = named(db)
  return db
    .select({ keyId: rows.keyId, accounts: sql<number>`count(distinct ${rows.userId})::int` })
    .from(rows)
    .where(notInArray(rows.keyId, [...keyIds, 'enc:v1']))
    .groupBy(rows.keyId)
    .orderBy(rows.keyId)
}
