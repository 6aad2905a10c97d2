import { createAuthLifecycle, createAuthRouter, exportUserData } from '@svc/auth/server'
import { startTestAuth } from '@svc/auth/testing'
import { defineServer, route, t } from '@svc/core'
import { eq } from 'drizzle-orm'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { inOrg, member } from '../allow.ts'
import { apiIn } from '../api-in.ts'
import { organizations as capability } from '../capability.ts'
import { organizations } from '../contract.ts'
import { organizationChanged } from '../membership/events.ts'
import { onTeam } from '../on-team.ts'
import { members as memberRows, teamMembers, teams as teamRows } from '../schema.ts'
import { machineOf } from '../test-machine.ts'
import { nameOf, startTestOrganizations, stepsOf } from '../test-organizations.ts'

const auth = await startTestOrganizations()
afterAll(() => auth.stop())
const other = await auth.secondInstance()

const { apiOf, created, joined, ask, waiting } = stepsOf(auth)
const nowhere = () => crypto.randomUUID()

type User = Awaited<ReturnType<typeof joined>>

/** An organization with the roles `clerk`, `reader`, `lead` and `closer`, and a team. */
async function withTeam(roles: string[] = []) {
  const { owner, org } = await created()
  const role = (name: string, permissions: string[]) =>
    apiOf(owner).createOrganizationRole.call({
      params: { org },
      body: { name, displayName: name, permissions },
    })
  await role('clerk', ['invoice:write', 'invoice:read'])
  await role('lead', ['team:manage', 'member:invite'])
  await role('closer', ['organization:close'])
  const { teamId } = await apiOf(owner).createTeam.call({
    params: { org },
    body: { name: 'Sales', roles },
  })
  return { owner, org, teamId }
}

const add = (by: User, org: string, teamId: string, userId: string, roles: string[] = []) =>
  nameOf(apiOf(by).addTeamMember.call({ params: { org, teamId }, body: { userId, roles } }))

const write = async (org: string, user: User, at = auth.server) =>
  (await ask(`/orgs/${org}/invoices`, user, { method: 'POST', at })).status

const writeFor = async (org: string, team: string, user: Pick<User, 'key'>, at = auth.server) =>
  (await ask(`/orgs/${org}/teams/${team}/invoices`, user, { method: 'POST', at })).status

const board = (org: string, team: string, user: Pick<User, 'key'>) =>
  ask(`/orgs/${org}/teams/${team}/board`, user)

describe('the roles of a team', () => {
  it('count for each of its members in the whole organization, from the next request on', async () => {
    const { owner, org, teamId } = await withTeam(['clerk'])
    const user = await joined(owner, org)
    expect(await write(org, user)).toBe(403)
    expect(await add(owner, org, teamId, user.userId)).toBe('done')
    expect(await write(org, user)).toBe(200)
    const seen = await apiOf(user).getOrganization.call({ params: { org } })
    expect(seen.roles).toEqual(['member'])
    expect(seen.permissions).toEqual(['invoice:read', 'invoice:write'])
    const params = { org, teamId }
    await apiOf(owner).updateTeam.call({ params, body: { roles: [] } })
    expect(await write(org, user, other)).toBe(403)
    await apiOf(owner).updateTeam.call({ params, body: { roles: ['admin'] } })
    expect(await write(org, user)).toBe(200)
    await apiOf(user).leaveTeam.call({ params })
    expect(await write(org, user, other)).toBe(403)
  })

  it('count in no other organization of the member', async () => {
    const [here, there] = [await withTeam(['clerk']), await withTeam()]
    const user = await joined(here.owner, here.org)
    const row = { organizationId: there.org, userId: user.userId, joinedAt: auth.clock.now() }
    await auth.auth.db.insert(memberRows).values({ ...row, roles: ['member'] })
    await add(here.owner, here.org, here.teamId, user.userId, ['clerk'])
    expect([await write(here.org, user), await write(there.org, user)]).toEqual([200, 403])
    expect((await board(there.org, here.teamId, user)).status).toBe(404)
  })

  it('count where an operation asks again what its caller may do', async () => {
    const { owner, org, teamId } = await withTeam(['admin'])
    const user = await joined(owner, org)
    await add(owner, org, teamId, user.userId)
    expect(await joined(user, org, ['member'])).toMatchObject({ userId: expect.any(String) })
  })

  it('protect a member who may do more by them', async () => {
    const { owner, org, teamId } = await withTeam(['closer'])
    const [admin, user] = [await joined(owner, org, ['admin']), await joined(owner, org)]
    await add(owner, org, teamId, user.userId)
    const params = { org, userId: user.userId }
    expect(await nameOf(apiOf(admin).removeOrganizationMember.call({ params }))).toBe(
      'MoreThanOwnRoleError',
    )
  })
})

describe('the roles of a member in a team', () => {
  it('count for routes of this team alone', async () => {
    const { owner, org, teamId } = await withTeam()
    const user = await joined(owner, org)
    const second = await apiOf(owner).createTeam.call({ params: { org }, body: { name: 'Second' } })
    await add(owner, org, teamId, user.userId, ['clerk'])
    await add(owner, org, second.teamId, user.userId)
    expect(await writeFor(org, teamId, user)).toBe(200)
    expect(await writeFor(org, second.teamId, user)).toBe(403)
    expect(await write(org, user)).toBe(403)
    expect((await board(org, teamId, user)).body).toEqual({
      id: teamId,
      name: 'Sales',
      roles: ['clerk'],
      permissions: ['invoice:read', 'invoice:write'],
    })
    const params = { org, teamId, userId: user.userId }
    await apiOf(owner).setTeamMemberRoles.call({ params, body: { roles: [] } })
    expect(await writeFor(org, teamId, user, other)).toBe(403)
    expect((await board(org, teamId, user)).status).toBe(200)
  })

  it('end on every instance with the next request after the removal', async () => {
    const { owner, org, teamId } = await withTeam()
    const user = await joined(owner, org)
    await add(owner, org, teamId, user.userId, ['clerk'])
    const params = { org, teamId, userId: user.userId }
    const uses = Array.from({ length: 6 }, () => writeFor(org, teamId, user, other))
    await apiOf(owner).removeTeamMember.call({ params })
    for (const status of await Promise.all(uses)) expect([200, 404]).toContain(status)
    expect(await writeFor(org, teamId, user, other)).toBe(404)
  })
})

describe('a route of a team', () => {
  it('does not tell others whether there is a team', async () => {
    const { owner, org, teamId } = await withTeam()
    const elsewhere = await withTeam()
    const user = await joined(owner, org)
    const of = async (team: string, by: User) => {
      const { status, body } = await board(org, team, by)
      return JSON.stringify([status, body]).replaceAll(body.error.requestId, '')
    }
    expect(JSON.parse(await of(teamId, user))).toMatchObject([
      404,
      { error: { code: 'TeamNotFoundError' } },
    ])
    expect(await of(teamId, user)).toBe(await of(nowhere(), user))
    expect(await of(nowhere(), owner)).toBe(await of(teamId, user))
    expect(await of(elsewhere.teamId, owner)).toBe(await of(teamId, user))
  })

  it('accepts members of the organization who may do it everywhere, or may manage teams', async () => {
    const { owner, org, teamId } = await withTeam()
    const clerk = await joined(owner, org, ['clerk'])
    expect(await writeFor(org, teamId, clerk)).toBe(200)
    expect((await board(org, teamId, clerk)).status).toBe(404)
    const lead = await joined(owner, org, ['lead'])
    expect((await board(org, teamId, lead)).status).toBe(200)
    expect(await writeFor(org, teamId, lead)).toBe(404)
  })

  it('refuses strangers, members of other organizations, and programs', async () => {
    const { owner, org, teamId } = await withTeam()
    const elsewhere = await withTeam(['clerk'])
    expect((await board(org, teamId, elsewhere.owner)).body.error.code).toBe(
      'OrganizationNotFoundError',
    )
    expect(await writeFor(org, teamId, { key: await machineOf(auth, owner) })).toBe(403)
  })

  it('asks for a fresh proof where it says so', async () => {
    const { owner, org, teamId } = await withTeam()
    const path = `/orgs/${org}/teams/${teamId}/invoices/pay`
    const pay = async () => (await ask(path, owner, { method: 'POST', body: '{}' })).status
    expect(await pay()).toBe(200)
    auth.clock.advance('11m')
    expect(await pay()).toBe(403)
  })

  const org = t.String()
  const of = (routes: object) =>
    startTestAuth({
      definition: defineServer()
        .routes(createAuthRouter({ routes: routes as never, contracts: [organizations] }))
        .lifecycle(createAuthLifecycle({ capabilities: [capability()] })),
    }).catch((error: Error) => error.message)
  const at = (path: string) =>
    route
      .get(path as '/')
      .input({ params: t.Object({ org, team: org }) })
      .handler(() => ({}))

  it('must ask for the team that its path names, or the server does not start', async () => {
    const found = await of({
      forgotten: member()(at('/orgs/:org/teams/:team')),
      unnamed: onTeam()(
        route
          .get('/orgs/:org/board')
          .input({ params: t.Object({ org }) })
          .handler(() => ({})),
      ),
      misspelt: onTeam('team:mange')(at('/orgs/:org/teams/:team/x')),
      right: inOrg('team:manage')(
        route
          .get('/orgs/:org/squads/:teamId')
          .input({ params: t.Object({ org, teamId: org }) })
          .handler(() => ({})),
      ),
    })
    expect(found).toContain('"forgotten"')
    expect(found).toContain('"unnamed"')
    expect(found).toContain('Did you mean "team:manage"')
    expect(found).not.toContain('"right"')
  })
})

describe('a team', () => {
  it('is given, changed and deleted only by members who may as much', async () => {
    const { owner, org, teamId } = await withTeam(['clerk'])
    // May do as much as the user, so that only the roles of teams and in teams refuse.
    const lead = await joined(owner, org, ['lead', 'member'])
    const user = await joined(owner, org)
    const more = 'MoreThanOwnRoleError'
    const create = (by: User, roles: string[]) =>
      nameOf(apiOf(by).createTeam.call({ params: { org }, body: { name: 'New', roles } }))
    const change = (by: User, id: string, body: { name?: string; roles?: string[] }) =>
      nameOf(apiOf(by).updateTeam.call({ params: { org, teamId: id }, body }))
    const remove = (by: User, id: string) =>
      nameOf(apiOf(by).deleteTeam.call({ params: { org, teamId: id } }))
    expect(await create(lead, ['clerk'])).toBe(more)
    expect(await create(user, [])).toBe('ForbiddenError')
    expect(await create(owner, ['owner'])).toBe('ValidationError')
    expect(await create(owner, ['nothing-of-the-kind'])).toBe('OrganizationRoleNotFoundError')
    expect(await create(lead, ['lead'])).toBe('done')
    expect(await change(lead, teamId, { name: 'Mine' })).toBe(more)
    expect(await change(lead, teamId, { roles: [] })).toBe(more)
    expect(await remove(lead, teamId)).toBe(more)
    // Joining it would give the caller what it permits.
    expect(await add(lead, org, teamId, lead.userId)).toBe(more)
    expect(await add(lead, org, teamId, user.userId)).toBe(more)
    const { teams } = await apiOf(lead).listTeams.call({ params: { org } })
    expect(teams.map(({ name }) => name)).toEqual(['New', 'Sales'])
    const plain = teams[0]?.teamId ?? ''
    expect(await change(lead, plain, { roles: ['lead', 'clerk'] })).toBe(more)
    expect(await change(owner, plain, { roles: ['owner'] })).toBe('ValidationError')
    expect(await change(lead, nowhere(), { name: 'None' })).toBe('TeamNotFoundError')
    expect(await add(lead, org, plain, user.userId, ['clerk'])).toBe(more)
    expect(await add(owner, org, plain, user.userId, ['owner'])).toBe('ValidationError')
    expect(await add(lead, org, plain, user.userId)).toBe('done')
    expect(await add(lead, org, plain, user.userId)).toBe('AlreadyInTeamError')
    expect(await add(lead, org, plain, nowhere())).toBe('MemberNotFoundError')
    const params = { org, teamId: plain, userId: user.userId }
    const set = (by: User, roles: string[]) =>
      nameOf(apiOf(by).setTeamMemberRoles.call({ params, body: { roles } }))
    expect(await set(lead, ['clerk'])).toBe(more)
    expect(await set(lead, ['lead'])).toBe('done')
    expect(await set(owner, ['owner'])).toBe('ValidationError')
    expect(await set(owner, ['clerk'])).toBe('done')
    expect(await set(lead, [])).toBe(more)
    expect(await nameOf(apiOf(lead).removeTeamMember.call({ params }))).toBe(more)
    expect(await remove(lead, plain)).toBe(more)
    expect(await set(owner, [])).toBe('done')
    expect(await remove(lead, plain)).toBe('done')
  })

  it('keeps a member who may do more in the organization', async () => {
    const { owner, org, teamId } = await withTeam()
    const lead = await joined(owner, org, ['lead'])
    await add(lead, org, teamId, owner.userId)
    const params = { org, teamId, userId: owner.userId }
    expect(await nameOf(apiOf(lead).removeTeamMember.call({ params }))).toBe('MoreThanOwnRoleError')
    const leave = () => nameOf(apiOf(owner).leaveTeam.call({ params: { org, teamId } }))
    expect([await leave(), await leave()]).toEqual(['done', 'TeamNotFoundError'])
  })

  it('keeps a member who may do more in it, also from a removal from the organization', async () => {
    const { owner, org, teamId } = await withTeam()
    const body = { name: 'remover', displayName: 'Remover', permissions: ['member:remove'] }
    await apiOf(owner).createOrganizationRole.call({ params: { org }, body })
    const remover = await joined(owner, org, ['remover', 'member'])
    const user = await joined(owner, org)
    await add(owner, org, teamId, user.userId, ['clerk'])
    const params = { org, userId: user.userId }
    const remove = () => nameOf(apiOf(remover).removeOrganizationMember.call({ params }))
    expect(await remove()).toBe('MoreThanOwnRoleError')
    const inTeam = { ...params, teamId }
    await apiOf(owner).setTeamMemberRoles.call({ params: inTeam, body: { roles: ['member'] } })
    expect(await remove()).toBe('done')
  })

  it('is one of 200 at most, and a member is in 50 at most', async () => {
    const { owner, org, teamId } = await withTeam()
    const user = await joined(owner, org)
    const { db } = auth.auth
    const at = { organizationId: org, roles: [], createdAt: auth.clock.now() }
    const more = Array.from({ length: 199 }, () => ({ ...at, teamId: nowhere(), name: 'More' }))
    await db.insert(teamRows).values(more)
    const inside = { organizationId: org, userId: user.userId, roles: [], joinedAt: at.createdAt }
    await db
      .insert(teamMembers)
      .values(more.slice(0, 49).map((team) => ({ ...inside, teamId: team.teamId })))
    expect(await add(owner, org, teamId, user.userId)).toBe('done')
    expect(await add(owner, org, more[50]?.teamId ?? '', user.userId)).toBe('OrganizationFullError')
    const made = apiOf(owner).createTeam.call({ params: { org }, body: { name: 'Last' } })
    expect(await nameOf(made)).toBe('OrganizationFullError')
  })

  it('lists its members page by page, in the order in which they came', async () => {
    const { owner, org, teamId } = await withTeam()
    const users: User[] = []
    for (let times = 0; times < 3; times += 1) {
      const user = await joined(owner, org)
      auth.clock.advance(1)
      await add(owner, org, teamId, user.userId, times === 0 ? ['clerk'] : [])
      users.push(user)
    }
    const inside = apiIn(apiOf(owner), org)
    const params = { teamId }
    const first = await inside.listTeamMembers.call({ params, query: { limit: 2 } })
    const query = { limit: 2, after: first.next ?? '' }
    const second = await inside.listTeamMembers.call({ params, query })
    const seen = [...first.items, ...second.items]
    expect(seen.map(({ email }) => email)).toEqual(users.map(({ email }) => email))
    expect(seen.map(({ roles }) => roles)).toEqual([['clerk'], [], []])
    expect(second.next).toBeUndefined()
  })

  it('loses its members with their membership, and its row with the organization', async () => {
    const { owner, org, teamId } = await withTeam()
    const [leaver, purged] = [await joined(owner, org), await joined(owner, org)]
    await add(owner, org, teamId, leaver.userId, ['clerk'])
    await add(owner, org, teamId, purged.userId)
    expect((await exportUserData(leaver.userId))['organizations']).toMatchObject([
      { teams: [{ name: 'Sales', roles: ['clerk'] }] },
    ])
    const { db } = auth.auth
    const left = () =>
      db
        .select({ userId: teamMembers.userId })
        .from(teamMembers)
        .where(eq(teamMembers.teamId, teamId))
    await apiOf(leaver).leaveOrganization.call({ params: { org } })
    expect(await left()).toEqual([{ userId: purged.userId }])
    await auth.purge(purged)
    expect(await left()).toEqual([])
    const key = await auth.signIn(owner)
    await apiOf({ key }).closeOrganization.call({ params: { org }, body: {} })
    auth.clock.advance('30d')
    await auth.sweep()
    expect(await db.$count(teamRows, eq(teamRows.teamId, teamId))).toBe(0)
  })

  it('R53: loses a role that is deleted, also one that is given at the same time', async () => {
    other.clock.set(auth.clock.now())
    const { owner, org, teamId } = await withTeam()
    const elsewhere = await withTeam(['clerk'])
    const user = await joined(owner, org)
    await add(owner, org, teamId, user.userId)
    const [params, body] = [{ org, teamId }, { roles: ['clerk', 'lead'] }]
    const acts = await auth.auth.db.transaction(async (tx) => {
      // Both have seen the role by then, and can't write it.
      await tx.select().from(teamRows).where(eq(teamRows.teamId, teamId)).for('update')
      await tx.select().from(teamMembers).where(eq(teamMembers.teamId, teamId)).for('update')
      const inTeam = { params: { ...params, userId: user.userId }, body }
      const given = [
        nameOf(apiOf(owner).updateTeam.call({ params, body })),
        nameOf(apiOf(owner, other).setTeamMemberRoles.call(inTeam)),
      ]
      await waiting(2)
      const gone = nameOf(
        apiOf(owner).deleteOrganizationRole.call({ params: { org, role: 'clerk' } }),
      )
      await Promise.race([gone, waiting(3)])
      return { given, gone }
    })
    expect(await acts.gone).toBe('done')
    expect(await Promise.all(acts.given)).toEqual(['done', 'done'])
    const { teams } = await apiOf(owner).listTeams.call({ params: { org } })
    const { items } = await apiOf(owner).listTeamMembers.call({ params, query: {} })
    expect([...teams, ...items].flatMap(({ roles }) => roles)).not.toContain('clerk')
    expect(await write(org, user)).toBe(403)
    const kept = await apiOf(elsewhere.owner).listTeams.call({ params: { org: elsewhere.org } })
    expect(kept.teams.map(({ roles }) => roles)).toEqual([['clerk']])
  })

  it('has the rules of channels asked again when its roles change', async () => {
    const { owner, org, teamId } = await withTeam()
    const told: string[] = []
    onTestFinished(
      organizationChanged.subscribe(({ organizationId }) => {
        told.push(organizationId)
      }),
    )
    const params = { org, teamId }
    await apiOf(owner).updateTeam.call({ params, body: { roles: ['clerk'] } })
    await expect.poll(() => told).toEqual([org])
  })
})
