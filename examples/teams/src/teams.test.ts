import { createAuthApi } from '@svc/auth'
import { exportUserData, suspendUser } from '@svc/auth/server'
import { startTestAuth, type TestUser } from '@svc/auth/testing'
import { defineRouter } from '@svc/core'
import { createAuthSSEClient } from '@svc/core/client'
import { routeMapOf } from '@svc/core/contract'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { teamClient } from './client.ts'
import { teams } from './contract.ts'
import { teams as teamRows } from './schema.ts'
import { definition, type eventRouter } from './test-application.ts'

const auth = await startTestAuth({ definition })
afterAll(() => auth.stop())

const apiOf = ({ key }: TestUser, at = auth.server) =>
  createAuthApi({ baseUrl: at.url, clients: [teamClient], sign: auth.signerOf(key) })

const statusOf = (call: Promise<unknown>) =>
  call.then(
    () => 'done',
    (error: { name: string }) => error.name,
  )

/** An owner with a team. */
async function createdTeam(name = 'Crew') {
  const owner = await auth.signedInUser({ role: 'admin' })
  const team = await apiOf(owner).createTeam.call({ body: { name } })
  // The order of members is that of their times.
  auth.clock.advance(1)
  const add = ({ userId }: TestUser, at = auth.server) =>
    apiOf(owner, at).addTeamMember.call({ params: { teamId: team.teamId, userId } })
  const remove = ({ userId }: TestUser) =>
    apiOf(owner).removeTeamMember.call({ params: { teamId: team.teamId, userId } })
  return { owner, team, add, remove, teamId: team.teamId }
}

/** What a user is streamed, from now on. */
async function listen({ key }: TestUser) {
  const heard: { teamId: string; change: string }[] = []
  const sign = auth.signerOf(key)
  const client = createAuthSSEClient<typeof eventRouter>({ host: auth.url, sign })
  await new Promise<void>((opened, rejected) => {
    const handlers = { teamChanged: (payload: (typeof heard)[number]) => void heard.push(payload) }
    const end = client.subscribe({ handlers, onOpen: () => opened(), onRejected: rejected })
    onTestFinished(end)
  })
  return heard
}

describe('a team', () => {
  it('is created by those who hold the permission, and by no others', async () => {
    const { owner, team } = await createdTeam()
    expect(team).toMatchObject({ name: 'Crew', ownerId: owner.userId, userIds: [owner.userId] })
    const user = await auth.signedInUser()
    expect(await statusOf(apiOf(user).createTeam.call({ body: { name: 'Mine' } }))).toBe(
      'ForbiddenError',
    )
  })

  it('is seen by its members, and does not exist for others', async () => {
    const { team, teamId, add } = await createdTeam()
    const [member, stranger] = [await auth.signedInUser(), await auth.signedInUser()]
    await add(member)
    const { teams: seen } = await apiOf(member).listTeams.call()
    expect(seen).toEqual([{ ...team, userIds: [team.ownerId, member.userId] }])
    expect((await apiOf(stranger).listTeams.call()).teams).toEqual([])
    const rename = (as: TestUser, id: string) =>
      apiOf(as).renameTeam.call({ params: { teamId: id }, body: { name: 'Taken' } })
    expect(await statusOf(rename(stranger, teamId))).toBe('TeamNotFoundError')
    expect(await statusOf(rename(stranger, crypto.randomUUID()))).toBe('TeamNotFoundError')
    expect(await statusOf(rename(member, teamId))).toBe('TeamOwnerOnlyError')
  })

  it('takes active accounts alone, and only its owner adds or removes others', async () => {
    const { owner, teamId, add, remove } = await createdTeam()
    const [member, suspended] = [await auth.signedInUser(), await auth.signedInUser()]
    await suspendUser(suspended.userId)
    expect(await statusOf(add(suspended))).toBe('TeamMemberNotFoundError')
    expect(await statusOf(add({ ...member, userId: crypto.randomUUID() }))).toBe(
      'TeamMemberNotFoundError',
    )
    expect(await statusOf(remove(member))).toBe('TeamMemberNotFoundError')
    await add(member)
    const params = { teamId, userId: owner.userId }
    expect(await statusOf(apiOf(member).removeTeamMember.call({ params }))).toBe(
      'TeamOwnerOnlyError',
    )
    expect(await statusOf(apiOf(member).addTeamMember.call({ params }))).toBe('TeamOwnerOnlyError')
  })

  it('takes as many as it has room for, of sixteen at once on two instances', async () => {
    const { owner, add } = await createdTeam()
    const other = await auth.secondInstance()
    const users = await Promise.all(Array.from({ length: 16 }, () => auth.createUser()))
    const all = users.map((user, at) =>
      statusOf(add(user as TestUser, at % 2 ? other : auth.server)),
    )
    const answers = await Promise.all(all)
    expect(answers.filter((answer) => answer === 'done')).toHaveLength(2)
    expect(answers.filter((answer) => answer === 'TeamFullError')).toHaveLength(14)
    const [team] = (await apiOf(owner).listTeams.call()).teams
    expect(team?.userIds).toHaveLength(3)
  })

  it('passes on to its oldest member when its owner leaves, and ends with the last', async () => {
    const { owner, team, teamId, add } = await createdTeam()
    const member = await auth.signedInUser()
    await add(member)
    const leave = (as: TestUser) =>
      apiOf(as).removeTeamMember.call({ params: { teamId, userId: as.userId } })
    await leave(owner)
    expect((await apiOf(member).listTeams.call()).teams).toEqual([
      { ...team, ownerId: member.userId, userIds: [member.userId] },
    ])
    await leave(member)
    await auth.sweep()
    const left = await auth.auth.db.select({ teamId: teamRows.teamId }).from(teamRows)
    expect(left).not.toContainEqual({ teamId })
  })

  it('tells a member who was removed by mail, and one who has left nothing', async () => {
    const { teamId, add, remove } = await createdTeam('Divers')
    const [leaver, member] = [await auth.signedInUser(), await auth.signedInUser()]
    await add(leaver)
    await add(member)
    await apiOf(leaver).removeTeamMember.call({ params: { teamId, userId: leaver.userId } })
    const mail = await auth.sentBy(() => remove(member), member.email, 'teams.removed')
    expect(mail.text).toContain('Divers')
    const others = await auth.messagesTo(leaver.email)
    expect(others.filter(({ template }) => template === 'teams.removed')).toEqual([])
  })

  it('leaves its changes in the audit trail', async () => {
    const { owner, add } = await createdTeam()
    await add(await auth.signedInUser())
    const query = { actor: owner.userId }
    const reader = await auth.signedInUser({ role: 'superadmin' })
    const { body } = await auth.call('listAuditEvents', undefined, reader.key, { query })
    expect(body.data.map(({ act }: { act: string }) => act)).toEqual(
      expect.arrayContaining(['team.created', 'team.member_added']),
    )
  })
})

describe('what changes', () => {
  it('is streamed to the members, and to no others', async () => {
    const { owner, teamId, add, remove } = await createdTeam()
    const elsewhere = await createdTeam()
    const member = await auth.signedInUser()
    const [byOwner, byMember] = [await listen(owner), await listen(member)]
    const byStranger = await listen(elsewhere.owner)
    const rename = (team: typeof elsewhere, name: string) =>
      apiOf(team.owner).renameTeam.call({ params: { teamId: team.teamId }, body: { name } })
    await add(member)
    await remove(member)
    await apiOf(owner).renameTeam.call({ params: { teamId }, body: { name: 'Alone' } })
    await rename(elsewhere, 'Elsewhere')

    const changes = (heard: typeof byOwner) => heard.map(({ change }) => change)
    await expect.poll(() => changes(byOwner)).toEqual(['member added', 'member removed', 'renamed'])
    await expect.poll(() => changes(byStranger)).toEqual(['renamed'])
    expect(changes(byMember)).toEqual(['member added', 'member removed'])
    expect(byStranger[0]?.teamId).toBe(elsewhere.teamId)
  })
})

describe('an account', () => {
  it('takes its teams with it', async () => {
    const { owner } = await createdTeam('Readers')
    const data = await exportUserData(owner.userId)
    expect(data['teams']).toEqual([{ name: 'Readers', joinedAt: expect.any(Date) }])
  })

  it('leaves its teams to the others when it is purged', async () => {
    const { owner, team, add } = await createdTeam()
    const member = await auth.signedInUser()
    await add(member)
    await auth.purge(owner)
    const key = await auth.signIn(member)
    expect((await apiOf({ ...member, key }).listTeams.call()).teams).toEqual([
      { ...team, ownerId: member.userId, userIds: [member.userId] },
    ])
  })
})

describe('the contract', () => {
  it('is where the client looks for it', () => {
    expect(teamClient.routeMap).toEqual(routeMapOf(defineRouter(teams.operations)))
  })
})
