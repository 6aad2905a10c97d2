import { createHash, randomBytes, randomUUID } from 'node:crypto'
import {
  checkNewKey,
  createServiceAccount,
  type FreshCaller,
  registerServiceKey,
} from '@svc/auth/server'
import { createTestKey, type TestAuth, type TestKey, type TestUser } from '@svc/auth/testing'
import type { Tx } from '@svc/core'
import { directRequest } from '@svc/core/client'
import { eq, sql } from 'drizzle-orm'
import { inOrganization } from '../fence/fence.ts'
import { customers, invoices } from '../fence/test-shop.ts'
import * as tables from '../schema.ts'
import { testAgents } from '../test-agent.ts'
import { machineOf } from '../test-machine.ts'
import { stepsOf } from '../test-organizations.ts'
import { type Input, inputs, type Named, places, registration } from './inputs.ts'
import { challenge } from './test-application.ts'

/** A caller: a key that signs, an access token, or neither. */
export type Caller = { readonly key: TestKey } | { readonly token: string } | Record<never, never>

const newAddress = () => `user@${randomUUID()}.example`

interface NewPeople extends NewPrograms {
  /** Whether a support session needs a code of the owner. */
  readonly asksForCode?: boolean
}

/** The users of a trial, and what acts in their names. */
export async function peopleOf(auth: TestAuth, { asksForCode = false, ...given }: NewPeople = {}) {
  const [owner, admin, clerk, member, former, stranger, supported] = await Promise.all(
    // Each has a domain of their own.
    Array.from({ length: 7 }, () => auth.signedInUser({ email: newAddress() })),
  )
  const superadmin = await auth.signedInUser({ role: 'superadmin', email: newAddress() })
  const users = { owner, admin, clerk, member, former, stranger, supported, superadmin } as Record<
    UserName,
    TestUser
  >
  const { program, orgAgent } = await programsOf(auth, users.owner, given)
  const callers: Record<string, Caller> = {
    owner: users.owner,
    admin: users.admin,
    clerk: users.clerk,
    member: users.member,
    former: users.former,
    stranger: users.stranger,
    agent: { token: await testAgents(auth).tokenOf(users.owner) },
    machine: { key: await machineOf(auth, users.owner) },
    program: program.caller,
    'org agent': orgAgent.caller,
    support: { key: await supportOf(auth, { superadmin, user: users.supported, asksForCode }) },
    superadmin,
    unsigned: {},
  }
  /** The accounts of the callers that belong to an organization. */
  const programs: Readonly<Record<string, string>> = {
    program: program.userId,
    'org agent': orgAgent.userId,
  }
  return { users, callers, programs }
}

export type People = Pick<Awaited<ReturnType<typeof peopleOf>>, 'users' | 'programs'>

/** A machine and an agent that belong to an organization. `newOrganization` takes their accounts into another one. */
export async function programsOf(
  auth: TestAuth,
  owner: TestUser,
  { scope = 'invoice:read invoice:write', ...given }: NewPrograms = {},
) {
  const { accountOf, serviceKeyOf } = stepsOf(auth)
  const members = { [owner.userId]: ['owner'] }
  const { named } = await newOrganization(auth, { members, ...given })
  const userId = await accountOf(owner, named.org, ['admin'])
  const key = await serviceKeyOf(owner, named.org, userId)
  const token = await testAgents(auth).tokenOf(owner, { owner: named.org, scope })
  const { rows } = await auth.auth.db.execute<{ userId: string }>(
    sql`select user_id as "userId" from svc_auth.oauth2_grants where tenant = ${named.org}`,
  )
  const orgAgent = { userId: rows[0]?.userId ?? '', caller: { token } }
  return { program: { userId, caller: { key } }, orgAgent }
}

interface NewPrograms extends Pick<NewOrganization, 'insertRows'> {
  /** What the agent may ask for. */
  readonly scope?: string
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

interface Supported {
  readonly superadmin: TestUser
  readonly user: TestUser
  readonly asksForCode: boolean
}

async function supportOf(auth: TestAuth, { superadmin, user, asksForCode }: Supported) {
  const key = await createTestKey()
  const { userId } = user
  const code = asksForCode && (await done(auth.call('createSupportCode', {}, user.key))).code
  const body = { userId, reason: 'ticket 7', ...(code && { code }), ...key.registration }
  await done(auth.call('openSupportSession', body, superadmin.key))
  return key
}

export interface NewOrganization {
  /** Their roles, by their ids. */
  readonly members: Readonly<Record<string, readonly string[]>>
  /** Whose address has an invitation. */
  readonly invited?: string
  /** Whose domain it has proved. No other organization has it then. */
  readonly joinable?: string
  readonly isClosed?: boolean
  /** Accounts of programs that are its own from now on, as admins. */
  readonly programs?: readonly string[]
  /** Whether it has a service account with a key, too. */
  readonly hasProgram?: boolean
  /** Writes the rows of the application. Those of the shop unless set. */
  readonly insertRows?: (tx: Tx, of: OwnRows) => Promise<unknown>
}

interface OwnRows {
  /** The id of the first row. */
  readonly id: string
  /** Its text. */
  readonly mark: string
}

async function insertShop(tx: Tx, { id, mark: name }: OwnRows) {
  await tx.insert(customers).values({ id, name })
  await tx.insert(invoices).values({ id: randomUUID(), customerId: id, cents: 7 })
}

/**
 * An organization with a role, an invitation and rows of its own, written at once. Every text that only its rows
 * contain has its mark.
 */
export async function newOrganization(auth: TestAuth, given: NewOrganization) {
  const mark = `mark-${randomBytes(6).toString('hex')}`
  const [org, invitationId, customerId, target, teamId] = [0, 1, 2, 3, 4].map(() =>
    randomUUID(),
  ) as [string, string, string, string, string]
  const at = auth.clock.now()
  const token = randomBytes(32).toString('base64url')
  const { db } = auth.auth
  const programs = await db.transaction(async (tx) => {
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
    await insertDomains(tx, { organizationId: org, mark, proved: given.joinable, at })
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
    for (const userId of given.programs ?? []) await takeProgram(tx, { org, userId, at })
    return given.hasProgram ? addProgram(tx, { org, name: mark, at }) : noProgram
  })
  const { insertRows = insertShop } = given
  await inOrganization(db, org).transaction((tx) => insertRows(tx, { id: customerId, mark }))
  const named: Named = {
    org,
    organizationId: org,
    userId: target,
    role: mark,
    invitationId,
    token,
    customerId,
    teamId,
    domain: domainOfMark(mark),
    ...programs,
    after: '',
  }
  return { mark, named }
}

const noProgram = { programId: randomUUID(), keyId: 'none-such' }

/** A consent for each organization would take as long as all that is asked in it. */
async function takeProgram(
  tx: Tx,
  { org: organizationId, userId, at }: { org: string; userId: string; at: Date },
) {
  const row = { organizationId, userId, roles: ['admin'], createdAt: at }
  const { userId: target } = tables.serviceAccounts
  await tx
    .insert(tables.serviceAccounts)
    .values(row)
    .onConflictDoUpdate({ target, set: { organizationId } })
  await tx.execute(sql`update svc_auth.oauth2_grants set tenant = ${organizationId}
    where user_id = ${userId} and tenant is not null`)
}

const nowhere = {
  address: null,
  userAgent: null,
  requestId: '',
  keyId: null,
  proof: null,
  knownBrowser: null,
}

/** A service account with a key. */
async function addProgram(
  tx: Tx,
  { org: organizationId, name, at: now }: { org: string; name: string; at: Date },
) {
  const account = await createServiceAccount(tx, { name, now })
  const { userId } = account
  const roles = ['member']
  await tx.insert(tables.serviceAccounts).values({ organizationId, userId, roles, createdAt: now })
  const { keyId } = await registerServiceKey(tx, {
    account,
    caller: { userId } as FreshCaller,
    key: checkNewKey({ ...registration(), deviceName: name }),
    channel: 'createServiceKey',
    origin: nowhere,
    now,
  })
  return { programId: userId, keyId }
}

const domainOfMark = (mark: string) => `${mark}.example`

interface NewDomains {
  readonly organizationId: string
  readonly mark: string
  readonly proved: string | undefined
  readonly at: Date
}

/** One that is not proved yet, and one whose people may join. */
async function insertDomains(tx: Tx, { organizationId, mark, proved, at }: NewDomains) {
  const row = { organizationId, challenge, roles: ['member'], addedAt: at }
  await tx.insert(tables.domains).values({ ...row, domain: domainOfMark(mark) })
  if (proved === undefined) return
  const domain = proved.slice(proved.indexOf('@') + 1)
  // An organization of an earlier trial may have it.
  await tx.update(tables.domains).set({ verifiedAt: null }).where(eq(tables.domains.domain, domain))
  await tx.insert(tables.domains).values({ ...row, domain, verifiedAt: at, lastCheckedAt: at })
}

export type TestOrganization = Awaited<ReturnType<typeof newOrganization>>

/** Every row of an organization, as text. It does not rely on the fence: it names the organization. */
export async function rowsOf(auth: TestAuth, org: string, own = ['customers', 'invoices']) {
  const all = (name: string) =>
    sql.raw(
      `(select coalesce(json_agg(r order by r::text), '[]') from ${name} r where organization_id = '${org}')`,
    )
  const ofPrograms = (name: string, column: string) =>
    sql.raw(
      `(select json_agg(${column} order by ${column}) from svc_auth.${name} r where user_id in
        (select user_id from organizations.service_accounts where organization_id = '${org}'))`,
    )
  const { rows } = await inOrganization(auth.auth.db, org).execute(sql`
    select ${all('organizations.organizations')} as organizations, ${all('organizations.members')} as members,
      ${all('organizations.service_accounts')} as service_accounts,
      ${ofPrograms('users', 'r::text')} as programs, ${ofPrograms('device_keys', 'key_id || state')} as keys,
      ${all('organizations.teams')} as teams, ${all('organizations.team_members')} as team_members,
      ${all('organizations.roles')} as roles, ${all('organizations.invitations')} as invitations,
      ${all('organizations.domains')} as domains, ${all('organizations.removed_members')} as removed_members,
      json_build_array(${sql.join(own.map(all), sql`, `)}) as own`)
  return JSON.stringify(rows)
}

/** Asks for an operation by its name, as a caller. */
export function askAs(auth: TestAuth, caller: Caller, name: string, named: Named) {
  const place = places[name]
  const input = inputs[name]?.(named)
  if (!place || !input) throw new Error(`${name} is not in inputs.ts.`)
  return askAt(auth, caller, { ...place, input })
}

interface Asked {
  readonly method: string
  readonly path: string
  readonly input: Input
}

/** Asks for a route, as a caller. */
export async function askAt(auth: TestAuth, caller: Caller, asked: Asked) {
  const request = directRequest(auth.url, asked as Parameters<typeof directRequest>[1])
  const { url, ...init } = request
  const headers = {
    ...init.headers,
    ...('key' in caller &&
      (await auth.signerOf(caller.key)({ ...request, body: request.body ?? '' }))),
    ...('token' in caller && { authorization: `Bearer ${caller.token}` }),
  }
  const answer = await fetch(url, { ...init, headers, redirect: 'manual' })
  const text = await answer.text()
  return { status: answer.status, text }
}
