import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { createTestKey, type TestAuth, type TestKey, type TestUser } from '@svc/auth/testing'
import { directRequest } from '@svc/core/client'
import { sql } from 'drizzle-orm'
import { inOrganization } from '../fence/fence.ts'
import { customers, invoices } from '../fence/test-shop.ts'
import * as tables from '../schema.ts'
import { testAgents } from '../test-agent.ts'
import { machineOf } from '../test-machine.ts'
import { type Input, inputs, type Named, places } from './inputs.ts'

/** A caller: a key that signs, an access token, or neither. */
export type Caller = { readonly key: TestKey } | { readonly token: string } | Record<never, never>

/** The users of a trial, and what acts in their names. */
export async function peopleOf(auth: TestAuth) {
  const [owner, admin, clerk, member, former, stranger, supported] = await Promise.all(
    Array.from({ length: 7 }, () => auth.signedInUser()),
  )
  const superadmin = await auth.signedInUser({ role: 'superadmin' })
  const users = { owner, admin, clerk, member, former, stranger, supported, superadmin } as Record<
    UserName,
    TestUser
  >
  const callers: Record<string, Caller> = {
    owner: users.owner,
    admin: users.admin,
    clerk: users.clerk,
    member: users.member,
    former: users.former,
    stranger: users.stranger,
    agent: { token: await testAgents(auth).tokenOf(users.owner) },
    machine: { key: await machineOf(auth, users.owner) },
    support: { key: await supportOf(auth, superadmin, users.supported) },
    superadmin,
    unsigned: {},
  }
  return { users, callers }
}

type UserName =
  | 'owner'
  | 'admin'
  | 'clerk'
  | 'member'
  | 'former'
  | 'stranger'
  | 'supported'
  | 'superadmin'

async function done(asked: ReturnType<TestAuth['call']>) {
  const { status, body } = await asked
  if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`)
  return body
}

async function supportOf(auth: TestAuth, { key: by }: TestUser, { userId }: TestUser) {
  const key = await createTestKey()
  const body = { userId, reason: 'ticket 7', ...key.registration }
  await done(auth.call('openSupportSession', body, by))
  return key
}

interface NewOrganization {
  /** Their roles, by their ids. */
  readonly members: Readonly<Record<string, readonly string[]>>
  /** Whose address has an invitation. */
  readonly invited?: string
  readonly isClosed?: boolean
}

/**
 * An organization with a role, an invitation and rows of its own, written at once. Every text that only its rows
 * contain has its mark.
 */
export async function newOrganization(auth: TestAuth, given: NewOrganization) {
  const mark = `mark-${randomBytes(6).toString('hex')}`
  const [org, invitationId, customerId, target, teamId] = Array.from({ length: 5 }, () =>
    randomUUID(),
  )
  if (!org || !invitationId || !customerId || !target || !teamId) throw new Error('No ids.')
  const at = auth.clock.now()
  const token = randomBytes(32).toString('base64url')
  const { db } = auth.auth
  await db.transaction(async (tx) => {
    await tx.insert(tables.organizations).values({
      organizationId: org,
      name: mark,
      slug: mark,
      createdAt: at,
      ...(given.isClosed
        ? { state: 'closed', closedAt: at, purgeAt: new Date(at.getTime() + 86_400_000) }
        : { state: 'open' }),
    })
    const roles: Record<string, readonly string[]> = { [target]: ['member'], ...given.members }
    await tx.insert(tables.members).values(
      Object.entries(roles).map(([userId, held]) => ({
        organizationId: org,
        userId,
        roles: [...held],
        joinedAt: at,
      })),
    )
    await tx.insert(tables.roles).values([
      {
        organizationId: org,
        name: 'clerk',
        displayName: mark,
        permissions: ['invoice:read', 'invoice:write'],
        createdAt: at,
      },
      { organizationId: org, name: mark, displayName: mark, permissions: [], createdAt: at },
    ])
    const team = { organizationId: org, teamId, roles: [] }
    await tx.insert(tables.teams).values({ ...team, name: mark, createdAt: at })
    const owners = Object.keys(roles).filter((userId) => roles[userId]?.includes('owner'))
    await tx
      .insert(tables.teamMembers)
      .values([target, ...owners].map((userId) => ({ ...team, userId, joinedAt: at })))
    await tx.insert(tables.invitations).values({
      invitationId,
      organizationId: org,
      email: given.invited ?? `${mark}@example.com`,
      roles: ['member'],
      state: 'pending',
      tokenHash: createHash('sha256').update(token).digest('base64url'),
      invitedBy: Object.entries(roles).find(([, held]) => held.includes('owner'))?.[0] ?? null,
      createdAt: at,
      expiresAt: new Date(at.getTime() + 86_400_000),
    })
  })
  await inOrganization(db, org).transaction(async (tx) => {
    await tx.insert(customers).values({ id: customerId, name: mark })
    await tx.insert(invoices).values({ id: randomUUID(), customerId, cents: 7 })
  })
  const named: Named = {
    org,
    organizationId: org,
    userId: target,
    role: mark,
    invitationId,
    token,
    customerId,
    teamId,
    after: '',
  }
  return { mark, named }
}

export type TestOrganization = Awaited<ReturnType<typeof newOrganization>>

/** Every row of an organization, as text. It does not rely on the fence: it names the organization. */
export async function rowsOf(auth: TestAuth, org: string) {
  const all = (name: string) =>
    sql.raw(
      `(select coalesce(json_agg(r order by r::text), '[]') from ${name} r where organization_id = '${org}')`,
    )
  const { rows } = await inOrganization(auth.auth.db, org).execute(sql`
    select ${all('organizations.organizations')} as organizations, ${all('organizations.members')} as members,
      ${all('organizations.teams')} as teams, ${all('organizations.team_members')} as team_members,
      ${all('organizations.roles')} as roles, ${all('organizations.invitations')} as invitations,
      ${all('customers')} as customers, ${all('invoices')} as invoices`)
  return JSON.stringify(rows)
}

/** Asks for an operation by its name, as a caller. */
export async function askAs(auth: TestAuth, caller: Caller, name: string, named: Named) {
  const place = places[name]
  const input: Input | undefined = inputs[name]?.(named)
  if (!place || !input) throw new Error(`${name} is not in inputs.ts.`)
  const request = directRequest(auth.url, { ...place, input } as Parameters<
    typeof directRequest
  >[1])
  const { url, ...init } = request
  const headers = {
    ...init.headers,
    ...('key' in caller &&
      (await auth.signerOf(caller.key)({ ...request, body: request.body ?? '' }))),
    ...('token' in caller && { authorization: `Bearer ${caller.token}` }),
  }
  const answer = await fetch(url, { ...init, headers })
  const text = await answer.text()
  return { status: answer.status, text }
}
