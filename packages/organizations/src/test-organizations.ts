import { createAuthApi } from '@svc/auth'
import {
  accessTokenAuth,
  allow,
  createAuthLifecycle,
  createAuthRouter,
  getAuth,
  getUserId,
} from '@svc/auth/server'
import { createTestKey, startTestAuth, type TestAuth, type TestUser } from '@svc/auth/testing'
import { defineServer, route, t } from '@svc/core'
import { createAuthSSEClient } from '@svc/core/client'
import { defineChannel, defineEventRouter, perMinute } from '@svc/core/contract'
import { sql } from 'drizzle-orm'
import { expect, onTestFinished } from 'vitest'
import { agentInOrg, freshInOrg, getOrganization, inOrg, isMember, member } from './allow.ts'
import { organizations as capability, type OrganizationOptions } from './capability.ts'
import { organizationClient } from './client.ts'
import { organizations } from './contract.ts'
import { freshOnTeam, getTeam, isTeamMember, onTeam } from './on-team.ts'
import {
  ledger,
  ledgerEnv,
  reports,
  reportsClient,
  reportsHost,
  reportsServer,
} from './test-resource-server.ts'

const params = t.Object({ org: t.String({ format: 'uuid' }) })

const routes = {
  readBoard: member()(
    route
      .get('/orgs/:org/board')
      .input({ params })
      .handler((c) => ({ name: getOrganization(c).name })),
  ),
  listInvoices: inOrg('invoice:read')(
    route
      .get('/orgs/:org/invoices')
      .input({ params })
      // What the rows of tenant tables are compared with.
      .handler(async (c) => {
        const { rows } = await c.db.execute(
          sql`select current_setting('svc.organization', true) as "fencedTo"`,
        )
        return { of: getOrganization(c).id, ...rows[0] }
      }),
  ),
  addInvoice: inOrg(
    'invoice:read',
    'invoice:write',
  )(
    route
      .post('/orgs/:org/invoices')
      .input({ params })
      .handler((c) => ({ of: getOrganization(c).id })),
  ),
  payInvoice: freshInOrg('invoice:write')(
    route
      .post('/orgs/:org/invoices/pay')
      .input({ params, body: t.Object({ currentPassword: t.Optional(t.String()) }) })
      .handler((c) => ({ of: getOrganization(c).id })),
  ),
}

/** For agents, with a token for `/mcp`. */
const agentRoutes = {
  agentBoard: agentInOrg('/mcp')(
    route
      .get('/orgs/:org/mcp/board')
      .input({ params })
      .handler((c) => ({ name: getOrganization(c).name, userId: getUserId(c) })),
  ),
  agentInvoices: agentInOrg(
    '/mcp',
    'invoice:read',
  )(
    route
      .get('/orgs/:org/mcp/invoices')
      .input({ params })
      .handler((c) => ({ of: getOrganization(c).id })),
  ),
  agentAdds: agentInOrg(
    '/mcp',
    'invoice:write',
  )(
    route
      .post('/orgs/:org/mcp/invoices')
      .input({ params })
      .handler((c) => ({ of: getOrganization(c).id })),
  ),
  /** The path names no organization: the grant does. */
  agentAnywhere: allow.by(accessTokenAuth('/mcp'))(
    route.get('/mcp').handler(async (c) => {
      const { rows } = await c.db.execute(
        sql`select current_setting('svc.organization', true) as "fencedTo"`,
      )
      const { id, permissions } = getOrganization(c)
      return { of: id, permissions, account: getAuth(c).permissions, ...rows[0] }
    }),
  ),
}

const ofTeam = t.Object({ org: t.String({ format: 'uuid' }), team: t.String({ format: 'uuid' }) })

const teamRoutes = {
  readTeamBoard: onTeam()(
    route
      .get('/orgs/:org/teams/:team/board')
      .input({ params: ofTeam })
      .handler((c) => getTeam(c)),
  ),
  addTeamInvoice: onTeam('invoice:write')(
    route
      .post('/orgs/:org/teams/:team/invoices')
      .input({ params: ofTeam })
      .handler((c) => ({ of: getTeam(c).id, in: getOrganization(c).id })),
  ),
  payTeamInvoice: freshOnTeam('invoice:write')(
    route
      .post('/orgs/:org/teams/:team/invoices/pay')
      .input({ params: ofTeam, body: t.Object({ currentPassword: t.Optional(t.String()) }) })
      .handler((c) => ({ of: getTeam(c).id })),
  ),
}

export const boardChanged = defineChannel('board.changed', t.Object({ text: t.String() }))
/** Its id has the organization and the team. */
export const teamSaid = defineChannel('team.said', t.Object({ text: t.String() }))
export const eventRouter = defineEventRouter({ boardChanged, teamSaid })

/** An application whose organizations have invoices and a board. */
const definitionWith = (options: OrganizationOptions) =>
  defineServer()
    .routes(
      createAuthRouter({
        routes: { ...routes, ...teamRoutes, ...agentRoutes },
        contracts: [organizations],
      }),
    )
    .lifecycle(
      createAuthLifecycle({
        support: {},
        machines: { messageSignatures: true },
        authorizationServer: {
          scopes: {
            'invoice:read': 'See invoices',
            'invoice:write': 'Write invoices',
            'auth:self:manage': 'Manage the account',
          },
          defaultScopes: ['invoice:read'],
          resources: ['/mcp', reports, ledger],
          jwtAccessTokens: { [ledger]: {} },
          resourceServers: { [reports]: reportsServer },
          clientDocuments: { hosts: [reportsHost] },
          exchange: { [reportsClient]: { serves: [reports], resources: [reports] } },
          registration: 'open',
          deviceGrant: true,
          budget: { calls: [perMinute(30)] },
        },
        capabilities: [
          capability({
            permissions: [
              { name: 'invoice:read', displayName: 'See invoices' },
              { name: 'invoice:write', displayName: 'Write invoices' },
            ],
            roles: { member: ['invoice:read'] },
            maxMembers: 20,
            ...options,
          }),
        ],
      }),
    )
    .events(eventRouter, {
      auth: {
        enabled: true,
        channels: {
          boardChanged: isMember,
          teamSaid(userId, id, credential) {
            const [org = '', team = ''] = id.split(':')
            return isTeamMember(userId, org, team, credential)
          },
        },
      },
    })

export type Auth = TestAuth
export const startTestOrganizations = (
  env: Record<string, string> = {},
  options: OrganizationOptions = {},
): Promise<TestAuth> =>
  startTestAuth({ definition: definitionWith(options), env: { ...ledgerEnv, ...env } })

/** What tests do in organizations. */
export function stepsOf(auth: Auth) {
  const apiOf = ({ key }: Pick<TestUser, 'key'>, at = auth.server) =>
    createAuthApi({ baseUrl: at.url, clients: [organizationClient], sign: auth.signerOf(key) })

  /** An organization with its owner. */
  async function created(name = 'Acme') {
    const owner = await auth.signedInUser()
    const { organizationId: org } = await apiOf(owner).createOrganization.call({ body: { name } })
    return { owner, org }
  }

  async function invited(by: TestUser, org: string, { email, roles = ['member'] }: Invited) {
    const mail = await auth.sentBy(
      () => apiOf(by).inviteToOrganization.call({ params: { org }, body: { email, roles } }),
      email,
      'organizations.invitation',
    )
    return new URL(/https?:\/\/\S+/.exec(mail.text)?.[0] ?? '').searchParams.get('token') ?? ''
  }

  /** A new member, who has accepted an invitation. */
  async function joined(by: TestUser, org: string, roles = ['member']) {
    const user = await auth.signedInUser()
    const token = await invited(by, org, { email: user.email, roles })
    await apiOf(user).acceptOrganizationInvitation.call({ body: { token } })
    return user
  }

  async function accountOf(by: TestUser, org: string, roles = ['member']) {
    const body = { name: 'Nightly', roles }
    return (await apiOf(by).createServiceAccount.call({ params: { org }, body })).userId
  }

  /** A key of a service account. */
  async function serviceKeyOf(by: Pick<TestUser, 'key'>, org: string, userId: string) {
    const key = await createTestKey()
    const body = { ...key.registration, deviceName: 'CI' }
    await apiOf(by).createServiceKey.call({ params: { org, userId }, body })
    return key
  }

  /** The key of a program of an organization. */
  const programOf = async (by: TestUser, org: string) =>
    serviceKeyOf(by, org, await accountOf(by, org))

  /** Asks a route of the application. */
  async function ask(
    path: string,
    { key }: Partial<Pick<TestUser, 'key'>>,
    { method = 'GET', at = auth.server, body = '' } = {},
  ) {
    const url = `${at.url}${path}`
    const headers = {
      ...(key && (await auth.signerOf(key)({ method, url, body }))),
      ...(body && { 'content-type': 'application/json' }),
    }
    const answer = await fetch(url, { method, headers, ...(body && { body }) })
    return { status: answer.status, body: await answer.json() }
  }

  /** What the user hears on the board of an organization, from now on. `refused` if the rule forbids it. */
  async function listen(
    { key }: Pick<TestUser, 'key'>,
    id: string,
    at = auth.server,
    channel: 'boardChanged' | 'teamSaid' = 'boardChanged',
  ) {
    const heard: string[] = []
    const client = createAuthSSEClient<typeof eventRouter>({
      host: at.url,
      sign: auth.signerOf(key),
    })
    const outcome = await new Promise<string>((settle) => {
      const end = client.subscribe({
        handlers: {},
        channels: { [channel]: { [id]: ({ text }: { text: string }) => void heard.push(text) } },
        onOpen: () => settle('open'),
        onRejected: (error: Error) => settle(error.name),
      })
      onTestFinished(end)
    })
    return { heard, outcome }
  }

  /** Until so many statements wait for rows that others have locked. */
  async function waiting(count: number) {
    const lockWaits = async () => {
      const { rows } = await auth.auth.db.execute<{ count: number }>(
        sql`select count(*)::int from pg_stat_activity
          where wait_event_type = 'Lock' and datname = current_database()`,
      )
      return rows[0]?.count
    }
    await expect.poll(lockWaits, { interval: 5 }).toBe(count)
  }

  return {
    apiOf,
    created,
    invited,
    joined,
    ask,
    listen,
    accountOf,
    serviceKeyOf,
    programOf,
    waiting,
  }
}

export interface Invited {
  email: string
  roles?: string[]
}

export const nameOf = (call: Promise<unknown>) =>
  call.then(
    () => 'done',
    (error: { name: string }) => error.name,
  )
