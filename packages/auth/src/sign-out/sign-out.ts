import { type Clock, type Db, type SignedOutEveryone, type Tx } from '@svc/core'
import { raiseGeneration, raiseNextGenerations } from '../accounts/accounts.ts'
import { recordAudit } from '../audit/audit.ts'
import { type Needs, runningAuth } from '../auth.ts'
import type { AccountWideRevocation, EveryoneParts } from '../capability/capability.ts'
import { inTransaction } from '../in-transaction.ts'
import { forgetKnownIds, forgetProofs, revokeEveryKey } from '../keys/keys.ts'
import { everyoneSignedOut, keysRevoked } from '../streams/streams.ts'

/**
 * The only function that signs out everywhere: ends everything that could act as the account, in
 * the caller's transaction. The generation comes first, so that what was checked before can't
 * register a key after, and mailed links stop working. Waiting devices come before keys, so that no
 * approval becomes a key behind it.
 */
export async function signOutEverywhere(
  tx: Tx,
  { parts }: Needs<'parts'>,
  revocation: AccountWideRevocation,
) {
  const { account, spare, keepsProof = false, reason, now } = revocation
  const { userId } = account
  await raiseGeneration(tx, account)
  await parts.refuseWaiting(tx, { userId, now })
  // If the credentials have changed, the device that stays must prove the second factor again.
  await forgetProofs(tx, userId, keepsProof ? spare : null)
  const ending = { userIds: [userId], spare, reason, now }
  const keyIds = (await revokeEveryKey(tx, ending)).map(({ keyId }) => keyId)
  await forgetKnownIds(tx, ending)
  if (keyIds.length > 0) await keysRevoked.emit({ userId, keyIds, reason })
  return keyIds
}

interface EveryoneNeeds {
  db: Db
  clock: Clock
  parts: EveryoneParts
}

/**
 * Signs everyone out: devices, programs and agents of every account, and everything that could lead to a sign-in. Use
 * it after you restore a database to an older state, or when a secret has leaked. Open streams end within seconds on
 * this instance, and without a shared cache within a minute on others.
 */
export async function signOutEveryone(): Promise<SignedOutEveryone> {
  const signedOut = await endEverything(runningAuth())
  await everyoneSignedOut.emit({})
  return signedOut
}

/**
 * The same without a running server. Sign-ins under way end first: if one completes meanwhile, its key ends with its
 * account. You can interrupt it and run it again.
 */
export async function endEverything(
  { db, clock, parts }: EveryoneNeeds,
  onProgress: (accounts: number) => void = () => {},
): Promise<SignedOutEveryone> {
  const nothing = { links: 0, invitations: 0, codes: 0, waitingDevices: 0, signIns: 0 }
  const underWay = { ...nothing, ...(await parts.endUnderWay(db, clock.now())) }
  const total = { accounts: 0, devices: 0, programs: 0, agents: 0 }
  // Other capabilities use their own names.
  const counts: Record<string, number> = total
  let after: string | null = null
  for (;;) {
    const batch = await endBatch({ db, clock, parts }, after)
    if (batch.last === null) break
    after = batch.last
    for (const [name, count] of Object.entries(batch.counts)) {
      counts[name] = (counts[name] ?? 0) + count
    }
    onProgress(total.accounts)
  }
  const details = { ...total, ...underWay }
  await recordAudit(db, { act: 'everyone.signed_out', details, at: clock.now() })
  return details
}

// One transaction for each batch, so that a sign-in waits for at most this many accounts.
const batchSize = 500

/** Another transaction may lock two accounts in the other order; then PostgreSQL aborts one of the two. */
function endBatch({ db, clock, parts }: EveryoneNeeds, after: string | null) {
  return inTransaction(db, (tx) => endAccounts(tx, parts, { after, now: clock.now() }))
}

const reason = 'everyone_signed_out'

/** Accounts first, as everywhere, and their generation before their keys. */
async function endAccounts(
  tx: Tx,
  parts: EveryoneParts,
  { after, now }: { after: string | null; now: Date },
) {
  const userIds = await raiseNextGenerations(tx, { after, most: batchSize })
  const ending = { userIds, spare: null, reason, now }
  const keys = await revokeEveryKey(tx, ending)
  await forgetKnownIds(tx, ending)
  const ended = await parts.endEveryone(tx, ending)
  const devices = keys.filter(({ kind }) => kind === 'device').length
  const programs = keys.length - devices
  const counts = { ...ended, accounts: userIds.length, devices, programs }
  return { last: userIds.at(-1) ?? null, counts }
}
