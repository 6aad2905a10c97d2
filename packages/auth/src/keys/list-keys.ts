import type { Needs } from '../auth.ts'
import type { Owner } from '../capability/account-parts.ts'
import type { LetIn } from '../capability/key-fields.ts'
import { findMade, firstOnTheWay } from './find-made.ts'
import { keyItem } from './key-item.ts'
import type { Signer } from './lock-caller.ts'
import { listOf } from './store.ts'

export async function listKeys(
  auth: Needs<'db' | 'clock' | 'parts'>,
  { userId, generation }: Signer,
  { includeRevoked = false }: { includeRevoked?: boolean | undefined },
) {
  const { db, clock } = auth
  const now = clock.now()
  const rows = await listOf(db, userId, { includeRevoked })
  const active = rows.filter(({ state }) => state === 'active')
  const { letIn, approvals } = await letInBy(auth, { userId, generation, now }, active)
  const keys = rows.map((row) => {
    const made = letIn.get(row.keyId)
    return { ...keyItem(row, now), ...(made && { letIn: made }) }
  })
  return { keys, ...(approvals.length > 0 && { approvals }) }
}

/**
 * What each of these keys has let in. If a key in the chain has ended, what it let in is listed with the key before it,
 * because it ends with that one.
 */
async function letInBy(
  auth: Needs<'db' | 'parts'>,
  owner: Owner,
  active: readonly { keyId: string }[],
) {
  const { made, makers } = await findMade(auth, auth.db, owner)
  const listed = new Set(active.map(({ keyId }) => keyId))
  const firstListed = firstOnTheWay(makers, (keyId) => listed.has(keyId))
  const letIn = new Map<string, LetIn[]>()
  for (const { item, maker, isPending } of made) {
    const by = firstListed(maker)
    if (by === null || isPending) continue
    const items = letIn.get(by) ?? []
    items.push(item)
    letIn.set(by, items)
  }
  return {
    letIn,
    approvals: made.map(({ item }) => item).filter(({ kind }) => kind === 'approval'),
  }
}
