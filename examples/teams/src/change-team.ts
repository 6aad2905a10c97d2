import { lockAccount, type RequestOrigin } from '@svc/auth/server'
import type { Tx } from '@svc/core'
import { TeamFullError, TeamMemberNotFoundError, TeamOwnerOnlyError } from './errors.ts'
import { teamChanged } from './events.ts'
import type { TeamAct, TeamHeld } from './held.ts'
import { tellRemoved } from './jobs.ts'
import { deleteMember, insertMember, insertTeam, lockTeam, lockTeamsOf, rename } from './store.ts'

/** The user who changes a team, and where the request came from. */
interface By {
  readonly userId: string
  readonly origin: RequestOrigin
}

export async function createTeam(auth: TeamHeld, { name }: { name: string }, by: By) {
  await auth.limits.take('team create by account', by.userId)
  const at = auth.clock.now()
  return auth.db.transaction(async (tx) => {
    // Its purge would not see a team that is created meanwhile.
    if (!(await lockAccount(tx, by.userId))) throw new TeamMemberNotFoundError()
    const team = await insertTeam(tx, { name, ownerId: by.userId, at })
    await note(auth, tx, { act: 'team.created', teamId: team.teamId, by })
    return team
  })
}

export async function renameTeam(
  auth: TeamHeld,
  { teamId, name }: { teamId: string; name: string },
  by: By,
) {
  await auth.limits.take('team change by account', by.userId)
  await auth.db.transaction(async (tx) => {
    const { userIds } = await lockOwnTeam(tx, teamId, by)
    await rename(tx, { teamId, name })
    await note(auth, tx, { act: 'team.renamed', teamId, by })
    await teamChanged.emit({ teamId, change: 'renamed', userIds })
  })
}

interface Membership {
  readonly teamId: string
  readonly userId: string
}

export async function addMember(auth: TeamHeld, { teamId, userId }: Membership, by: By) {
  await auth.limits.take('team change by account', by.userId)
  const at = auth.clock.now()
  await auth.db.transaction(async (tx) => {
    // Before the team, in the order of a purge.
    const account = await lockAccount(tx, userId)
    const { userIds } = await lockOwnTeam(tx, teamId, by)
    if (account?.status !== 'active') throw new TeamMemberNotFoundError()
    if (userIds.includes(userId)) return
    if (userIds.length >= auth.maxMembers) throw new TeamFullError()
    await insertMember(tx, { teamId, userId, at })
    await note(auth, tx, { act: 'team.member_added', teamId, userId, by })
    await teamChanged.emit({ teamId, change: 'member added', userIds: [...userIds, userId] })
  })
}

export async function removeMember(auth: TeamHeld, { teamId, userId }: Membership, by: By) {
  await auth.limits.take('team change by account', by.userId)
  await auth.db.transaction(async (tx) => {
    const isLeaving = userId === by.userId
    const { userIds } = isLeaving
      ? await lockTeam(tx, { teamId, userId })
      : await lockOwnTeam(tx, teamId, by)
    if (!userIds.includes(userId)) throw new TeamMemberNotFoundError()
    await deleteMember(tx, { teamId, userId })
    await note(auth, tx, { act: 'team.member_removed', teamId, userId, by })
    if (!isLeaving) await tellRemoved.enqueue({ teamId, userId })
    await teamChanged.emit({ teamId, change: 'member removed', userIds })
  })
}

/** Removes a purged account from its teams. */
export async function forgetMember(tx: Tx, { userId }: { userId: string }) {
  for (const { teamId, userIds } of await lockTeamsOf(tx, userId)) {
    await deleteMember(tx, { teamId, userId })
    await teamChanged.emit({ teamId, change: 'member removed', userIds })
  }
}

async function lockOwnTeam(tx: Tx, teamId: string, { userId }: By) {
  const team = await lockTeam(tx, { teamId, userId })
  if (team.ownerId !== userId) throw new TeamOwnerOnlyError()
  return team
}

interface Change {
  act: TeamAct
  teamId: string
  userId?: string
  by: By
}

function note(auth: TeamHeld, tx: Tx, { act, teamId, userId = teamId, by }: Change) {
  const { userId: actor, origin } = by
  return auth.audit(tx, act, {
    actor,
    target: userId,
    details: { teamId },
    origin,
    at: auth.clock.now(),
  })
}
