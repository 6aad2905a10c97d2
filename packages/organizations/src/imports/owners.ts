import { findMember, store as members } from '../membership/membership.ts'
import { inTransaction, type Line, type Run, type Seen } from './run.ts'
import * as store from './store.ts'

/**
 * Every organization has an owner. Where the export names none, the admin becomes it who has been a member for longest,
 * or else the oldest member. If a row with the owner was refused, the operator has to correct it first: otherwise a
 * failed row would give power to another member.
 */
export async function* giveOwners(run: Run): AsyncGenerator<Line> {
  for (const seen of run.seen.values()) {
    if (!seen.isThere || seen.hasOwner) continue
    const line = await giveOwner(run, seen)
    if (line) yield line
  }
}

async function giveOwner(run: Run, seen: Seen): Promise<Line | null> {
  const { line, organizationId, heir, isOwnerRefused } = seen
  return inTransaction(run, async (tx): Promise<Line | null> => {
    const organization = await store.lockAny(tx, organizationId)
    // A dry run has taken it back.
    const isOpen = organization ? organization.state === 'open' : run.dryRun
    if (!isOpen || !heir || (await store.hasOwner(tx, organizationId))) return null
    const of = { line, kind: 'owner', organizationId }
    if (isOwnerRefused) return { ...of, outcome: 'refused', reason: 'owner_refused' }
    const membership = { organizationId, userId: heir.userId }
    const member = await findMember(tx, membership)
    if (!member && !run.dryRun) return null
    const before = member?.roles ?? []
    const after = [...new Set(['owner', ...before])]
    await members.setRoles(tx, membership, after)
    await run.audit(tx, 'organization.member_roles_changed', {
      target: heir.userId,
      details: { organizationId, before, after, source: run.from },
      at: run.clock.now(),
    })
    return { ...of, outcome: 'created', userId: heir.userId }
  })
}
