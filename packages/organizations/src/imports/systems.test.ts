import { readFileSync } from 'node:fs'
import { createTestDatabase } from '@svc/core/testing'
import { sql } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { startTestOrganizations, stepsOf } from '../test-organizations.ts'
import { importsBeside, jsonLines, membersIn, short, told } from './test-import.ts'

const auth = await startTestOrganizations()
afterAll(() => auth.stop())
const { apiOf } = stepsOf(auth)
const imports = importsBeside(auth)
const membersOf = membersIn(auth)

const guide = readFileSync(
  new URL('../../../../docs/guide/import-organizations.md', import.meta.url),
  'utf8',
)

/** The query of the guide, with the rows of teams where it says that they belong. */
function queryOfGuide() {
  const [, query = ''] = /<<'SQL'\n(.*?)\nSQL\n/s.exec(guide) ?? []
  const [, teams = ''] = /If you use teams.*?```sql\n(.*?)```/s.exec(guide) ?? []
  return query.replace('\n) all_lines', `\n${teams}) all_lines`)
}

describe('organizations of better-auth', () => {
  it('come from the query of the guide, with teams and without invitations', async () => {
    const [ada, bob] = [await auth.signedInUser(), await auth.signedInUser()]
    const old = await createTestDatabase()
    await old.pool.query(`
      create table "user" (id text primary key, name text not null, email text not null, "emailVerified" boolean not null);
      create table organization (id text primary key, name text not null, slug text not null unique, logo text, "createdAt" timestamptz not null, metadata text);
      create table member (id text primary key, "organizationId" text not null, "userId" text not null, role text not null, "createdAt" timestamptz not null);
      create table invitation (id text primary key, "organizationId" text not null, email text not null, role text, status text not null, "expiresAt" timestamptz not null, "inviterId" text not null);
      create table team (id text primary key, name text not null, "organizationId" text not null, "createdAt" timestamptz not null, "updatedAt" timestamptz);
      create table "teamMember" (id text primary key, "teamId" text not null, "userId" text not null, "createdAt" timestamptz);
      insert into "user" values ('u1', 'Ada', '${ada.email}', true), ('u2', 'Bob', '${bob.email}', true);
      insert into organization values ('k3oT9', 'Old Acme', 'old-acme', null, '2024-05-01', null);
      insert into member values ('m1', 'k3oT9', 'u1', 'owner', '2024-05-01'), ('m2', 'k3oT9', 'u2', 'admin,member', '2024-05-02');
      insert into invitation values ('i1', 'k3oT9', 'new@example.com', 'member', 'pending', now(), 'u1'), ('i2', 'k3oT9', 'no@example.com', 'member', 'rejected', now(), 'u1');
      insert into team values ('t1', 'Sales', 'k3oT9', '2024-05-01', null);
      insert into "teamMember" values ('tm1', 't1', 'u2', null)`)
    const { rows } = await old.pool.query<{ line: object }>(queryOfGuide())
    const tables = await Promise.all(
      ['user', 'organization', 'member', 'invitation', 'team', 'teamMember'].map(async (name) => [
        name,
        (await old.pool.query(`select * from "${name}"`)).rows,
      ]),
    )
    await old.drop()
    const text = jsonLines(...rows.map(({ line }) => line))
    const lines = await imports.organizations(text, { from: 'better-auth' })
    expect(told(lines)).toEqual([
      '1 organization created',
      '1 member created',
      '2 member created',
      '3 invitation left',
      '4 team created',
      '5 team member created',
    ])
    expect(lines.map(({ externalId }) => externalId)).toEqual([
      'k3oT9',
      'u1',
      'u2',
      undefined,
      't1',
      'u2',
    ])
    const org = lines[0]?.organizationId ?? ''
    const { organizations } = await apiOf(ada).listOrganizations.call()
    expect(organizations).toMatchObject([
      { organizationId: org, name: 'Old Acme', slug: 'old-acme', roles: ['owner'] },
    ])
    const { teams } = await apiOf(bob).listTeams.call({ params: { org } })
    expect(teams).toMatchObject([{ name: 'Sales', roles: [] }])
    // The tables as one document are the same rows.
    const document = JSON.stringify(Object.fromEntries(tables))
    const again = { from: 'better-auth', container: 'json' } as const
    expect(told(await imports.organizations(document, again))).toEqual([
      '1 organization exists',
      '1 member exists',
      '2 member exists',
      '3 invitation left',
      '4 invitation left',
      '5 team exists',
      '6 team member exists',
    ])
  })
})

describe('teams of an import', () => {
  const from = 'better-auth'

  /** An organization with two members, of whom one is in a team. */
  async function withTeam() {
    const [ada, bob] = [await auth.signedInUser(), await auth.signedInUser()]
    const organization = { id: short(), name: 'Acme' }
    const of = { organization, team: { id: 't', name: 'Sales' } }
    const member = (email: string, role: string) => ({ organization, member: { role }, email })
    const inTeam = { ...of, teamMember: {}, email: bob.email }
    const rows = [member(ada.email, 'owner'), member(bob.email, 'member'), of, inTeam]
    const lines = await imports.organizations(jsonLines(...rows), { from })
    const { organizationId: org = '', teamId = '' } = lines.at(-1) ?? {}
    return { ada, bob, of, rows, org, teamId }
  }
  const again = async (...rows: object[]) =>
    told(await imports.organizations(jsonLines(...rows), { from }))

  it('stay as they were left: what was removed does not come back', async () => {
    const { ada, bob, rows, org, teamId } = await withTeam()
    await apiOf(ada).removeTeamMember.call({ params: { org, teamId, userId: bob.userId } })
    expect((await again(...rows)).slice(-2)).toEqual([
      '3 team exists',
      '4 team member refused left_since',
    ])
    await apiOf(ada).deleteTeam.call({ params: { org, teamId } })
    expect((await again(...rows)).slice(-2)).toEqual([
      '3 team refused left_since',
      '4 team member refused team_unknown',
    ])
  })

  it('have only members of their organization, and need one that was imported', async () => {
    const { of, bob } = await withTeam()
    const stranger = await auth.signedInUser()
    const elsewhere = { ...of, organization: { id: short(), name: 'Other' } }
    expect(
      await again(
        { ...of, teamMember: {}, email: stranger.email },
        { ...of, team: { id: 'other', name: 'Other' }, teamMember: {}, email: bob.email },
        elsewhere,
        { ...elsewhere, teamMember: {}, email: bob.email },
        { ...of, team: { id: 'nameless' } },
      ),
    ).toEqual([
      '1 team member refused not_a_member',
      '2 team member refused team_unknown',
      '3 team refused organization_unknown',
      '4 team member refused organization_unknown',
      '5 team refused id_invalid',
    ])
  })

  it('are as many as an organization, and a member, may have', async () => {
    const { of, bob, org } = await withTeam()
    const { db } = auth.auth
    await db.execute(sql`insert into organizations.teams (organization_id, team_id, name, roles, created_at)
      select ${org}::uuid, gen_random_uuid(), 'Team ' || n, '{}', now() from generate_series(1, 198) n`)
    const more = ['u', 'v'].map((id) => ({ ...of, team: { id, name: id } }))
    expect(await again(...more)).toEqual(['1 team created', '2 team refused full'])
    await db.execute(sql`insert into organizations.team_members (organization_id, team_id, user_id, roles, joined_at)
      select organization_id, team_id, ${bob.userId}::uuid, '{}', now() from organizations.teams
      where organization_id = ${org} and name like 'Team %' limit 49`)
    expect(await again({ ...more[0], teamMember: {}, email: bob.email })).toEqual([
      '1 team member refused full',
    ])
  })
})

describe('organizations of Supabase', () => {
  it('come from the query of the guide', async () => {
    const [ada, bob] = [await auth.signedInUser(), await auth.signedInUser()]
    const [, query = ''] = /\\copy \((.*)\) to organizations\.csv csv header/.exec(guide) ?? []
    const old = await createTestDatabase()
    const org = crypto.randomUUID()
    const [one, two] = [crypto.randomUUID(), crypto.randomUUID()]
    await old.pool.query(`
      create schema auth;
      create table auth.users (id uuid primary key, email text);
      create table organizations (id uuid primary key, name text not null, slug text);
      create table members (organization_id uuid not null, user_id uuid not null, role text[] not null);
      insert into auth.users values ('${one}', '${ada.email}'), ('${two}', '${bob.email}');
      insert into organizations values ('${org}', 'Base', 'base');
      insert into members values ('${org}', '${one}', '{owner}'), ('${org}', '${two}', '{admin,member}')`)
    const { rows } = await old.pool.query<Record<string, string>>(
      query.replace('m.role', 'm.role::text'),
    )
    await old.drop()
    const cells = rows.map((row) => Object.values(row).map((cell) => `"${cell}"`))
    const csv = [Object.keys(rows[0] ?? {}), ...cells].map((row) => row.join()).join('\n')
    const given = { from: 'supabase', container: 'csv' } as const
    const lines = await imports.organizations(csv, given)
    expect(told(lines)).toEqual(['2 organization created', '2 member created', '3 member created'])
    const members = await membersOf(ada, org)
    expect(members).toContainEqual({ userId: ada.userId, roles: ['owner'] })
    expect(members).toContainEqual({ userId: bob.userId, roles: ['admin', 'member'] })
  })
})

describe('organizations of a table of your own', () => {
  it('come from the columns of the guide', async () => {
    const [, csv = ''] = /```csv\n(.*?)```/s.exec(guide) ?? []
    await imports.users('externalId,email\n17,ada@example.com\n18,grace@example.com', {
      container: 'csv',
    })
    expect(told(await imports.organizations(csv, { container: 'csv' }))).toEqual([
      '2 organization created',
      '2 member created',
      '3 member created',
    ])
  })
})

describe('organizations of Clerk', () => {
  it('come from pages of memberships, and their creator is the owner', async () => {
    const [ada, bob] = [await auth.signedInUser(), await auth.signedInUser()]
    const eve = `user_${short()}`
    await imports.users(jsonLines({ id: eve, email: `${eve}@example.com` }))
    const organization = {
      object: 'organization',
      id: `org_${short()}`,
      name: 'Acme Inc',
      slug: `acme-inc-${short()}`,
      created_by: 'user_1o4q',
      created_at: 1_638_000_669_544,
    }
    const membership = (user_id: string, identifier: string | null, role: string) => ({
      object: 'organization_membership',
      role,
      organization,
      public_user_data: { user_id, identifier, first_name: 'Sarah' },
      created_at: 1_638_000_669_544,
    })
    const page = (...data: object[]) => ({ data, total_count: 3 })
    const text = jsonLines(
      page(
        membership('user_2', bob.email, 'org:admin'),
        membership('user_1o4q', ada.email, 'org:admin'),
      ),
      page(membership(eve, null, 'org:member')),
      page(),
    )
    const lines = await imports.organizations(text, { from: 'clerk' })
    expect(told(lines)).toEqual([
      '1 organization created',
      '1 member created',
      '1 member created',
      '2 member created',
    ])
    const members = await membersOf(ada, lines[0]?.organizationId ?? '')
    expect(members).toContainEqual({ userId: ada.userId, roles: ['owner'] })
    expect(members).toContainEqual({ userId: bob.userId, roles: ['admin'] })
    expect(members).toHaveLength(3)
    expect(told(await imports.organizations(text, { from: 'clerk' }))).not.toContain(
      '1 organization created',
    )
  })
})
