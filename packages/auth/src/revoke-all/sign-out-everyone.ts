import { type Clock, type Db, databaseFailure, type SignedOutEveryone, type Tx } from '@svc/core'
import { and, asc, gt, inArray, isNotNull, ne, sql } from 'drizzle-orm'
import { users } from '../accounts/schema.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { runningAuth } from '../auth.ts'
import { deviceKeys } from '../keys/schema.ts'
import { oauth2Grants } from '../oauth2/schema.ts'
import { everyoneSignedOut } from '../streams/revocations.ts'
import { endUnderWay } from './end-under-way.ts'

interface Needs {
  db: Db
  clock: Clock
}

/**
 * Signs everyone out: devices, programs and agents of every account, and all that would lead to a sign-in. For a database
 * that was restored to an older state, and for a secret that has leaked. Open streams end within seconds here, and on
 * other instances within a minute where no cache tells them.
 */
export async function signOutEveryone(): Promise<SignedOutEveryone> {
  const signedOut = await endEverything(runningAuth())
  await everyoneSignedOut.emit({})
  return signedOut
}

/**
 * The same where no server runs. What is under way goes first: what it leads to meanwhile is an account's, and ends with
 * that. It can be broken off, and run again.
 */
export async function endEverything(
  { db, clock }: Needs,
  onProgress: (accounts: number) => void = () => {},
): Promise<SignedOutEveryone> {
  const underWay = await endUnderWay(db, clock.now())
  const total = { accounts: 0, devices: 0, programs: 0, agents: 0 }
  let after: string | null = null
  for (;;) {
    const batch = await endBatch({ db, clock }, after)
    if (batch.last === null) break
    after = batch.last
    for (const name of countedNames) total[name] += batch[name]
    onProgress(total.accounts)
  }
  const details = { ...total, ...underWay }
  await recordAudit(db, { act: 'everyone.signed_out', details, at: clock.now() })
  return details
}

const countedNames = ['accounts', 'devices', 'programs', 'agents'] as const

// A transaction each: a sign-in waits for no more than this many accounts.
const batchSize = 500
const mostTries = 3

async function endBatch({ db, clock }: Needs, after: string | null) {
  for (let tries = 1; ; tries += 1) {
    try {
      return await db.transaction((tx) => endAccounts(tx, { after, now: clock.now() }))
    } catch (error) {
      // Another transaction may hold two accounts in the other order, and PostgreSQL ends one of us.
      if (tries === mostTries || databaseFailure(error)?.status !== 503) throw error
    }
  }
}

/** The accounts first, as everywhere, and their generation before their keys. */
async function endAccounts(tx: Tx, { after, now }: { after: string | null; now: Date }) {
  const held = await tx
    .select({ userId: users.userId })
    .from(users)
    .where(after === null ? undefined : gt(users.userId, after))
    .orderBy(asc(users.userId))
    .limit(batchSize)
    .for('no key update')
  const ids = held.map(({ userId }) => userId)
  const last = ids.at(-1) ?? null
  if (last === null) return { last, accounts: 0, devices: 0, programs: 0, agents: 0 }
  await tx
    .update(users)
    .set({ generation: sql`${users.generation} + 1` })
    .where(inArray(users.userId, ids))
  const keys = await endKeys(tx, ids, now)
  const agents = await endGrants(tx, ids, now)
  return { last, accounts: ids.length, ...keys, agents }
}

const reason = 'everyone_signed_out'

async function endKeys(tx: Tx, userIds: string[], now: Date) {
  const ended = await tx
    .update(deviceKeys)
    .set({
      // The state on the right is the one before this statement.
      state: sql`case ${deviceKeys.state} when 'pending' then 'deleted' else 'revoked' end`,
      revokedAt: now,
      revokedReason: reason,
      secondFactorProvedAt: null,
      knownId: null,
    })
    .where(
      and(inArray(deviceKeys.userId, userIds), inArray(deviceKeys.state, ['active', 'pending'])),
    )
    .returning({ kind: deviceKeys.kind, state: deviceKeys.state })
  // Of browsers that had signed out, too.
  await tx
    .update(deviceKeys)
    .set({ knownId: null })
    .where(and(inArray(deviceKeys.userId, userIds), isNotNull(deviceKeys.knownId)))
  const signing = ended.filter(({ state }) => state === 'revoked')
  const devices = signing.filter(({ kind }) => kind === 'device').length
  return { devices, programs: signing.length - devices }
}

async function endGrants(tx: Tx, userIds: string[], now: Date) {
  const { rowCount } = await tx
    .update(oauth2Grants)
    .set({ state: 'revoked', revokedAt: now, revokedReason: reason })
    .where(and(inArray(oauth2Grants.userId, userIds), ne(oauth2Grants.state, 'revoked')))
  return rowCount ?? 0
}
