import type { Tx } from '@svc/core'
import { lockAccount } from '../accounts/accounts.ts'
import { recordAudit } from '../audit/audit.ts'
import type { Author, Caller, RequestOrigin } from '../caller/caller.ts'
import { KeyNotFoundError } from '../crypto/errors.ts'
import { inTransaction } from '../in-transaction.ts'
import {
  type Concerned,
  expiredSupportKeys,
  findSupportKey,
  liveSupportKeys,
  revokeSupportKey,
  type SupportKey,
} from '../keys/keys.ts'
import { securityPage, sendNotice } from '../notices/notices.ts'
import { keysRevoked } from '../streams/streams.ts'
import { supportEndedEvent } from './events.ts'
import type { SupportHeld } from './held.ts'

interface Ending {
  caller: Caller
  keyId: string
  origin: RequestOrigin
}

/** Its operator ends it, with a key of theirs or with that of the session. Again is no failure. */
export async function endSupportSession(auth: SupportHeld, { caller, keyId, origin }: Ending) {
  const actor = caller.actor ?? caller.userId
  const isOpen = caller.kind !== 'support' || keyId === caller.keyId
  const session = isOpen ? await findSupportKey(auth.db, { keyId, actor }) : null
  if (!session) throw new KeyNotFoundError()
  await end(auth, session, { reason: 'operator', by: { actor: caller.userId, origin } })
}

/** Ends the sessions whose operators may not act any more. Their keys have signed nothing since then. */
export async function endWithdrawn(auth: SupportHeld, concerned?: Concerned) {
  for (const session of await liveSupportKeys(auth.db, concerned)) {
    const key = await auth.callers(session.keyId)
    if (key?.state !== 'active') await end(auth, session, { reason: 'withdrawn', by: {} })
  }
}

/** Ends every session there is: where support was turned off. */
export async function endAll(auth: SupportHeld) {
  for (const session of await liveSupportKeys(auth.db)) {
    await end(auth, session, { reason: 'withdrawn', by: {} })
  }
}

/** Says of the sessions whose time is over that it is. */
export async function endExpired(auth: SupportHeld, now: Date) {
  for (const session of await expiredSupportKeys(auth.db, now)) {
    await end(auth, session, { reason: 'expired', by: {} })
  }
}

interface How {
  reason: 'operator' | 'withdrawn' | 'expired'
  by: Author
}

async function end(auth: SupportHeld, session: SupportKey, { reason, by }: How) {
  const now = auth.clock.now()
  await inTransaction(auth.db, async (tx) => {
    await lockAccount(tx, session.userId)
    const isRevoked = await revokeSupportKey(tx, { ...session, reason: `support ${reason}`, now })
    if (isRevoked) await tell(tx, auth, { session, how: { reason, by }, now })
  })
}

interface Ended {
  session: SupportKey
  how: How
  now: Date
}

async function tell(tx: Tx, auth: SupportHeld, { session, how: { reason, by }, now }: Ended) {
  const { userId, keyId, actor } = session
  const details = { keyId, reason, operator: actor }
  await recordAudit(tx, { act: 'support.ended', ...by, target: userId, details, at: now })
  const facts = { at: now.toISOString(), url: securityPage(auth) }
  await sendNotice(tx, auth, { userId, template: 'support-ended', facts })
  await keysRevoked.emit({ userId, keyIds: [keyId], reason: `support ${reason}`, actor })
  await supportEndedEvent.emit({ userId, actor, keyId, reason })
}
