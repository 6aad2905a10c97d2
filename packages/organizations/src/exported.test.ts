import { exportUserData } from '@svc/auth/server'
import { sql } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { startTestOrganizations, stepsOf } from './test-organizations.ts'

const auth = await startTestOrganizations()
afterAll(() => auth.stop())
const { apiOf, created, invited, joined } = stepsOf(auth)
const { db } = auth.auth

describe('the export of an account', () => {
  it('has all that is kept of its memberships, also in organizations that are closed', async () => {
    const { owner, org } = await created('Readers')
    const member = await joined(owner, org)
    await apiOf(owner).closeOrganization.call({ params: { org }, body: {} })
    const at = expect.any(Date)
    const shared = { name: 'Readers', slug: expect.any(String), state: 'closed', joinedAt: at }
    expect(await exportUserData(owner.userId)).toMatchObject({
      organizations: [{ ...shared, roles: ['owner'], teams: [] }],
    })
    expect(await exportUserData(member.userId)).toMatchObject({
      organizations: [{ ...shared, roles: ['member'], teams: [] }],
    })
  })

  it('has the invitations, the removals, and what else names the account', async () => {
    const { owner, org } = await created('Readers')
    const member = await joined(owner, org, ['admin'])
    const other = `${crypto.randomUUID()}@example.com`
    await invited(member, org, { email: other })
    await apiOf(member).addOrganizationDomain.call({
      params: { org },
      body: { domain: 'readers.example', currentPassword: member.password },
    })
    await db.execute(sql`insert into organizations.imported (organization_id, thing, user_id)
      values (${org}, 'member m-7', ${member.userId})`)
    const params = { org, userId: member.userId }
    await apiOf(owner).removeOrganizationMember.call({ params })
    const [at, organization] = [expect.any(Date), 'Readers']
    const data = await exportUserData(member.userId)
    expect(data).toMatchObject({
      organizations: [],
      organizationDomains: [{ organization, domain: 'readers.example', addedAt: at }],
      organizationRemovals: [{ organization, removedAt: at }],
      organizationImports: [{ organization, thing: 'member m-7' }],
    })
    const invitation = { organization, createdAt: at }
    expect(data['organizationInvitations']).toEqual({
      sent: [{ ...invitation, email: other, roles: ['member'], state: 'pending', endedAt: null }],
      accepted: [
        { ...invitation, email: member.email, roles: ['admin'], state: 'accepted', endedAt: at },
      ],
    })
  })

  it('has every table that names accounts', async () => {
    // A table that is added is exported too, or its columns are shown to need no export.
    const { rows } = await db.execute<{ column: string }>(sql`
      select c.table_name || '.' || c.column_name as column from information_schema.columns c
      join information_schema.tables t using (table_schema, table_name)
      where c.table_schema = 'organizations' and t.table_type = 'BASE TABLE'
        and (c.column_name in ('user_id', 'email', 'personal_of') or c.column_name like '%_by')
        and c.data_type <> 'boolean'
      order by 1`)
    expect(rows.map(({ column }) => column)).toEqual([
      'domains.added_by',
      'imported.user_id',
      'invitations.accepted_by',
      'invitations.email',
      'invitations.invited_by',
      'members.user_id',
      // The same user is its member.
      'organizations.personal_of',
      'removed_members.user_id',
      // No one signs in to the account of a program.
      'service_accounts.user_id',
      'team_members.user_id',
    ])
  })
})
