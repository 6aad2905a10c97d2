import type { Tx } from '@svc/core'
import type { LockedAccount } from '../accounts/lock-account.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { Needs } from '../auth.ts'
import type { RequestOrigin } from '../caller/request-origin.ts'
import type { LetIn } from '../capability/key-fields.ts'
import { findMade, firstOnTheWay } from './find-made.ts'
import { endMadeKeys } from './made-keys.ts'

interface Ending {
  /** Locked in this transaction: operations that let something in take the same lock. */
  account: LockedAccount
  /** The key that another device revokes. */
  keyId: string
  /** The key of that device, which stays with all that it has let in itself. */
  by: string
  /** Nothing ends. */
  keepMade: boolean
  origin: RequestOrigin
  now: Date
}

/**
 * Ends what a key has let in, what these have let in, and so on: devices, programs and agents. Returns what has ended,
 * and the approvals that a device may still collect, which it leaves unchanged.
 */
export async function endMade(tx: Tx, auth: Needs<'parts'>, ending: Ending) {
  const gone = await madeBy(tx, auth, ending)
  const approvals = gone.filter(({ kind }) => kind === 'approval')
  if (ending.keepMade) return { ended: [], keyIds: [], approvals }
  const keyIds = await endKeys(tx, gone, ending)
  const { userId } = ending.account
  const others = gone.filter((item) => !isKey(item) && item.kind !== 'approval').map(({ id }) => id)
  const ended = await auth.parts.made.end(tx, { ...ending, userId, ids: others })
  const ids = new Set([...keyIds, ...ended])
  return { ended: gone.filter(({ id }) => ids.has(id)), keyIds, approvals }
}

async function madeBy(tx: Tx, auth: Needs<'parts'>, { account, keyId, by, now }: Ending) {
  const { userId, generation } = account
  const { made, makers } = await findMade(auth, tx, { userId, generation, now })
  const first = firstOnTheWay(makers, (each) => each === keyId || each === by)
  return made
    .filter(({ item, maker }) => first(maker) === keyId && !(isKey(item) && item.id === by))
    .map(({ item }) => item)
}

const isKey = ({ kind }: LetIn) => kind === 'device' || kind === 'machine'

async function endKeys(tx: Tx, gone: LetIn[], { account, keyId, origin, now }: Ending) {
  const { userId } = account
  const ids = gone.filter(isKey).map(({ id }) => id)
  const ended = await endMadeKeys(tx, { userId, keyIds: ids, now })
  for (const target of ended) {
    const details = { madeBy: keyId }
    const entry = { actor: userId, target, details, origin, at: now }
    await recordAudit(tx, { act: 'key.revoked', ...entry })
  }
  return ended
}
