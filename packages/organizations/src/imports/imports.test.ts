import { sql } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { nameOf, startTestOrganizations, stepsOf } from '../test-organizations.ts'
import { importsBeside, jsonLines, membersIn, short, told } from './test-import.ts'

const auth = await startTestOrganizations()
afterAll(() => auth.stop())
const { apiOf, created } = stepsOf(auth)
const imports = importsBeside(auth)
const membersOf = membersIn(auth)
type User = Awaited<ReturnType<typeof auth.signedInUser>>

const newId = () => crypto.randomUUID()

/** A row of our own columns for each user, in one organization. */
function rowsOf(users: readonly (readonly [{ email: string }, string])[], given: object = {}) {
  const organization = newId()
  const of = { organization, name: 'Acme', slug: `acme-${short()}`, ...given }
  const rows = users.map(([{ email }, role], n) => ({
    ...of,
    email,
    role,
    joinedAt: `2024-05-0${n + 1}T10:00:00Z`,
  }))
  return { org: of.organization, rows }
}

describe('an import of organizations', () => {
  it('makes each one once, with its members, and a second run changes nothing', async () => {
    const [ada, bob] = [await auth.signedInUser(), await auth.signedInUser()]
    const { org, rows } = rowsOf([
      [ada, 'owner'],
      [bob, 'admin,member'],
    ])
    const text = jsonLines(...rows)
    const first = await imports.organizations(text)
    expect(told(first)).toEqual(['1 organization created', '1 member created', '2 member created'])
    expect(first[0]).toMatchObject({ organizationId: org, externalId: org })
    const before = await membersOf(ada, org)
    expect(before).toEqual([
      { userId: ada.userId, roles: ['owner'] },
      { userId: bob.userId, roles: ['admin', 'member'] },
    ])
    const params = { org, userId: bob.userId }
    await apiOf(ada).setMemberRoles.call({ params, body: { roles: ['member'] } })
    expect(told(await imports.organizations(text))).toEqual([
      '1 organization exists',
      '1 member exists',
      '2 member exists',
    ])
    expect(await membersOf(ada, org)).toEqual([
      before[0],
      { userId: bob.userId, roles: ['member'] },
    ])
  })

  it('brings no member back who has left or was removed since', async () => {
    const [ada, bob, eve] = await Promise.all([1, 2, 3].map(() => auth.signedInUser()))
    if (!ada || !bob || !eve) throw new Error('No users.')
    const { org, rows } = rowsOf([
      [ada, 'owner'],
      [bob, 'member'],
      [eve, 'admin'],
    ])
    await imports.organizations(jsonLines(...rows))
    await apiOf(bob).leaveOrganization.call({ params: { org } })
    await apiOf(ada).removeOrganizationMember.call({ params: { org, userId: eve.userId } })
    expect(told(await imports.organizations(jsonLines(...rows)))).toEqual([
      '1 organization exists',
      '1 member exists',
      '2 member refused left_since',
      '3 member refused left_since',
    ])
    expect(await membersOf(ada, org)).toHaveLength(1)
  })

  it('makes nothing twice if two run at once', async () => {
    const [ada, bob] = [await auth.signedInUser(), await auth.signedInUser()]
    const { org, rows } = rowsOf([
      [ada, 'member'],
      [bob, 'member'],
    ])
    // Each begins with another account, so none waits before the organization.
    const texts = [jsonLines(...rows), jsonLines(...rows.toReversed())]
    const runs = await Promise.all(texts.map((text) => imports.organizations(text)))
    expect(runs.flat().filter(({ outcome }) => outcome === 'refused')).toEqual([])
    const made = told(runs.flat()).filter((each) => each.endsWith('created'))
    const kinds = made.map((each) => each.split(' ')[1] ?? '')
    expect(kinds.toSorted((a, b) => a.localeCompare(b))).toEqual([
      'member',
      'member',
      'organization',
      'owner',
    ])
    expect(await membersOf(ada, org)).toHaveLength(2)
  })

  it('gives no member to an organization that was not imported, by an id that a file names', async () => {
    const { owner, org } = await created()
    const eve = await auth.signedInUser()
    const { rows } = rowsOf([[eve, 'owner']], { organization: org.toUpperCase() })
    expect(told(await imports.organizations(jsonLines(...rows)))).toEqual([
      '1 member refused id_taken',
    ])
    expect(await membersOf(owner, org)).toHaveLength(1)
    const own = rowsOf([[eve, 'owner']])
    await imports.organizations(jsonLines(...own.rows))
    const other = await imports.organizations(jsonLines(...own.rows), { from: 'supabase' })
    expect(told(other)).toEqual(['1 member refused id_taken'])
  })

  it('finds a member by the imported id, or by the address that the account has proved', async () => {
    const [ada, eve] = [await auth.signedInUser(), await auth.signedInUser()]
    await auth.auth.db.execute(
      sql`update svc_auth.users set email_verified_at = null where user_id = ${eve.userId}`,
    )
    const id = short()
    const address = `${id}@example.com`
    const [imported] = await imports.users(jsonLines({ id, email: address }), { from: 'supabase' })
    const of = { organization: id, name: 'Acme' }
    const text = jsonLines(
      { ...of, email: ada.email, role: 'owner' },
      { ...of, user: id },
      { ...of, email: eve.email },
      { ...of, email: address },
      { ...of, user: 'unknown', email: '+12025550123' },
    )
    const lines = await imports.organizations(text, { from: 'supabase' })
    expect(told(lines)).toEqual([
      '1 organization created',
      '1 member created',
      '2 member created',
      '3 member refused user_unknown',
      '4 member refused user_unknown',
      '5 member refused user_unknown',
    ])
    expect(lines[2]).toMatchObject({ externalId: id, userId: imported?.userId })
    // The same id of another system is another user.
    expect(told(await imports.organizations(jsonLines({ ...of, user: id })))).toEqual([
      '1 member refused user_unknown',
    ])
    // As a purge leaves the account.
    await auth.auth.db.execute(
      sql`update svc_auth.users set status = 'deleted', email = null where email = ${address}`,
    )
    const later = await imports.organizations(jsonLines({ ...of, user: id }), { from: 'supabase' })
    expect(told(later)).toEqual(['1 member refused user_unknown'])
  })

  it('finds a member by the id of the account, which needs no address', async () => {
    const [ada, eve] = [await auth.signedInUser(), await auth.signedInUser()]
    await auth.auth.db.execute(
      sql`update svc_auth.users set email_verified_at = null where user_id = ${ada.userId}`,
    )
    const of = { organization: newId(), name: 'Acme' }
    const gone = newId()
    const lines = await imports.organizations(
      jsonLines(
        { ...of, account: ada.userId.toUpperCase(), role: 'owner' },
        { ...of, account: gone },
        { ...of, account: 'no id', user: eve.userId },
        { ...of, account: gone, email: eve.email },
      ),
    )
    expect(told(lines)).toEqual([
      '1 organization created',
      '1 member created',
      '2 member refused user_unknown',
      '3 member refused user_unknown',
      // Another person may have the address by now.
      '4 member refused user_unknown',
    ])
    expect(lines[1]).toMatchObject({ userId: ada.userId })
    expect(lines[2]).toMatchObject({ externalId: gone })
    expect(await membersOf(ada, of.organization)).toHaveLength(1)
  })

  it('refuses a role that the organization lacks, unless it is told what the role is here', async () => {
    const [ada, bob] = [await auth.signedInUser(), await auth.signedInUser()]
    const { org, rows } = rowsOf([
      [ada, 'Owner'],
      [bob, 'billing'],
    ])
    const refused = await imports.organizations(jsonLines(...rows))
    expect(told(refused).at(-1)).toBe('2 member refused role_unknown')
    expect(refused.at(-1)).toMatchObject({ role: 'billing' })
    const mapped = await imports.organizations(jsonLines(...rows), { roles: 'Billing=admin' })
    expect(told(mapped).at(-1)).toBe('2 member created')
    expect(await membersOf(ada, org)).toContainEqual({ userId: bob.userId, roles: ['admin'] })
    const eve = await auth.signedInUser()
    const role = { name: 'billing', displayName: 'Billing', permissions: [] }
    await apiOf(ada).createOrganizationRole.call({ params: { org }, body: role })
    const own = jsonLines({ ...rows[0], email: eve.email, role: 'billing' })
    expect(told(await imports.organizations(own)).at(-1)).toBe('1 member created')
  })

  it('leaves no organization without an owner, and gives no power because a row failed', async () => {
    const users = await Promise.all([1, 2, 3].map(() => auth.signedInUser()))
    const [ada, bob, eve] = users as [User, User, User]
    const at = (day: number) => `2024-05-0${day}T10:00:00Z`
    const joined = (roles: string[], more: object[] = []) => {
      const { org, rows } = rowsOf([ada, bob, eve].map((user, n) => [user, roles[n] ?? '']))
      const days = rows.map((row, n) => ({ ...row, joinedAt: at([1, 3, 2][n] ?? 4) }))
      return { org, text: jsonLines(...days, ...more.map((each) => ({ ...rows[0], ...each }))) }
    }
    const admins = joined(['member', 'admin', 'admin'])
    const lines = await imports.organizations(admins.text)
    expect(lines.at(-1)).toMatchObject({ kind: 'owner', outcome: 'created', userId: eve.userId })
    expect(await membersOf(eve, admins.org)).toContainEqual({
      userId: eve.userId,
      roles: ['owner', 'admin'],
    })
    expect(told(await imports.organizations(admins.text)).at(-1)).toBe('3 member exists')
    const failed = joined(
      ['member', 'member', 'admin'],
      [{ email: 'gone@example.com', role: 'owner' }],
    )
    expect(told(await imports.organizations(failed.text)).at(-1)).toBe(
      '1 owner refused owner_refused',
    )
    const roles = (await membersOf(eve, failed.org)).map((each) => each.roles)
    expect(roles.flat()).not.toContain('owner')
  })

  it('does in a dry run all that it says, and takes it back', async () => {
    const [ada, bob] = [await auth.signedInUser(), await auth.signedInUser()]
    const { rows } = rowsOf([
      [ada, 'admin'],
      [bob, 'member'],
      [bob, 'member'],
    ])
    const team = {
      organization: { id: rows[0]?.organization, name: 'Acme' },
      team: { id: 't', name: 'T' },
    }
    const text = jsonLines(
      ...rows.map(({ organization: id, email, role }) => ({
        organization: { id, name: 'Acme' },
        member: { role },
        email,
      })),
      team,
      { ...team, teamMember: {}, email: bob.email },
    )
    const from = 'better-auth'
    const rehearsed = await imports.organizations(text, { from, dryRun: true })
    expect((await apiOf(ada).listOrganizations.call()).organizations).toEqual([])
    expect(told(rehearsed)).toEqual(told(await imports.organizations(text, { from })))
    expect(told(rehearsed)).toEqual([
      '1 organization created',
      '1 member created',
      '2 member created',
      '3 member exists',
      '4 team created',
      '5 team member created',
      '1 owner created',
    ])
  })

  it('keeps a slug if it is free and has our form, and says so if not', async () => {
    const ada = await auth.signedInUser()
    const slug = `taken-${short()}`
    await apiOf(ada).createOrganization.call({ body: { name: 'Taken', slug } })
    const [free, taken] = [rowsOf([[ada, 'owner']]), rowsOf([[ada, 'owner']], { slug })]
    const lines = await imports.organizations(jsonLines(...free.rows, ...taken.rows))
    expect(lines.map(({ left }) => left)).toEqual([undefined, undefined, ['slug'], undefined])
    const { organizations } = await apiOf(ada).listOrganizations.call()
    const slugs = new Map(organizations.map((each) => [each.organizationId, each.slug]))
    expect(slugs.get(free.org)).toBe(free.rows[0]?.slug)
    expect(slugs.get(taken.org)).not.toBe(slug)
    const other = rowsOf([[ada, 'owner']], { slug: 'under_score' })
    const [odd] = await imports.organizations(jsonLines(...other.rows))
    expect(odd).toMatchObject({ kind: 'organization', outcome: 'created', left: ['slug'] })
  })

  it('adds no members beyond their number, and none to a closed organization', async () => {
    const users = await Promise.all([1, 2, 3, 4, 5].map(() => auth.signedInUser()))
    const { org, rows } = rowsOf(users.map((user, at) => [user, at === 0 ? 'owner' : 'member']))
    const first = told(await imports.organizations(jsonLines(...rows)))
    expect(first.at(-1)).toBe('5 member refused full')
    expect(first.filter((each) => each.endsWith('member created'))).toHaveLength(4)
    await apiOf(users[0] as User).closeOrganization.call({ params: { org }, body: {} })
    expect(told(await imports.organizations(jsonLines(...rows)))[0]).toBe('1 member refused closed')
  })

  it('names each line that it can not read', async () => {
    const ada = await auth.signedInUser()
    const csv = `organization,name,email,role\n,Acme,${ada.email},owner\nx,y,${ada.email}\n`
    expect(told(await imports.organizations(csv, { container: 'csv' }))).toEqual([
      '2 member refused id_invalid',
      '3 refused unreadable',
    ])
    const odd = jsonLines({ member: {} }, { organization: { id: 1 } })
    expect(told(await imports.organizations(`${odd}\n{"cut`, { from: 'better-auth' }))).toEqual([
      '1 refused unreadable',
      '2 refused unreadable',
      '3 refused unreadable',
    ])
    const unknown = imports.organizations('{}', { from: 'nowhere' })
    expect(await nameOf(unknown)).toBe('Error')
  })

  it('writes down each act, and forgets whom it has imported with the account', async () => {
    const [ada, bob] = [await auth.signedInUser(), await auth.signedInUser()]
    const { org, rows } = rowsOf([
      [ada, 'owner'],
      [bob, 'member'],
    ])
    await imports.organizations(jsonLines(...rows))
    const admin = await auth.signedInUser({ role: 'superadmin' })
    const { body } = await auth.call('listAuditEvents', undefined, admin.key, {
      query: { target: bob.userId, act: 'organization.member_added' },
    })
    const details = { organizationId: org, roles: ['member'], source: 'own' }
    expect(body.data).toMatchObject([{ details }])
    const countOf = async () => {
      const { rows: found } = await auth.auth.db.execute(
        sql`select 1 from organizations.imported where thing like ${`%${bob.userId}%`}`,
      )
      return found.length
    }
    expect(await countOf()).toBe(1)
    await auth.purge(bob)
    expect(await countOf()).toBe(0)
  })
})
