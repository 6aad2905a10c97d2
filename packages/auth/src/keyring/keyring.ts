import type { Db } from '@svc/core'
import { notInArray, sql } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/pg-core'
import { type Needs, runningAuth } from '../auth.ts'
import { ringKeysOfFactors } from '../mfa/mfa.ts'
import { ringKeysOfTokens } from '../social/social.ts'

export interface RingKeyUse {
  /** `enc:v1` stands for tokens in the form before this one: any of the keys may be theirs. */
  keyId: string
  /** What is written from now on is encrypted with it. */
  isActive: boolean
  /** Authenticator apps that need it. */
  secondFactors: number
  /** Unused recovery codes that need it. */
  recoveryCodes: number
  /** Tokens of providers that need it. */
  providerTokens: number
}

/** What needs each key of the keyring, and each that is gone: one that nothing needs may be removed. */
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

/** A key that was removed too early keeps the accounts out that need it. The start goes on: all others can sign in. */
export async function reportMissingRingKeys({ db, keyring, log }: Needs<'db' | 'keyring' | 'log'>) {
  const missing = await accountsByMissingKey(db, [...(keyring?.keys.keys() ?? [])])
  if (missing.length === 0) return
  log.error({ missing }, 'SVC_AUTH_TOKEN_ENCRYPTION_KEYS lacks keys that are needed')
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

/** How many accounts need a key that is none of these. */
function accountsByMissingKey(db: Db, keyIds: readonly string[]) {
  const rows = named(db)
  return db
    .select({ keyId: rows.keyId, accounts: sql<number>`count(distinct ${rows.userId})::int` })
    .from(rows)
    .where(notInArray(rows.keyId, [...keyIds, 'enc:v1']))
    .groupBy(rows.keyId)
    .orderBy(rows.keyId)
}
