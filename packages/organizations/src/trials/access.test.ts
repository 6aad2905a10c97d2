import { createAuthRouter } from '@svc/auth/server'
import { startTestAuth } from '@svc/auth/testing'
import { routeTable } from '@svc/core'
import { createAuthSSEClient } from '@svc/core/client'
import { afterAll, describe, expect, it } from 'vitest'
import { inputs, type Named, namesIn, operatorNames } from './inputs.ts'
import { organizationsOf } from './organizations-of.ts'
import {
  askAs,
  askAt,
  type Caller,
  newOrganization,
  peopleOf,
  programsOf,
  rowsOf,
  type TestOrganization,
} from './people.ts'
import { cellOf, tableOf } from './table.ts'
import { definition, type eventRouter, renaming, seen } from './test-application.ts'

const auth = await startTestAuth({ definition })
afterAll(() => auth.stop())
const people = await peopleOf(auth)
const { users, callers, programs } = people
const columns = Object.keys(callers)
const callerOf = (as: string): Caller => callers[as] ?? {}

const { ownOf, otherOf, isReopening } = organizationsOf(auth, people)

const names = Object.keys(inputs)

/** Its reader has the token of the mail, and may be in no organization at all. */
const offer = 'getOrganizationInvitation'

/** Routes whose answers show rows of a tenant table. */
const showing = ['listCustomers', 'readCustomer', 'reportBySql', 'agentCustomers', 'agentAnywhere']

// Each is some 700 requests.
const patience = { timeout: 180_000 }

describe('every operation', () => {
  it('answers each caller in an organization of theirs so', patience, async () => {
    const table = await tableOf(columns, names, async (name, as) => {
      const { named, mark } = await ownOf(name, as)
      const answer = await askAs(auth, callerOf(as), name, named)
      if (answer.status === 200 && showing.includes(name)) expect(answer.text).toContain(mark)
      return cellOf(answer)
    })
    expect(table).toMatchInlineSnapshot(`
      "                             owner      admin      clerk      member     former     stranger   agent      machine    program    org agent  support    superadmin unsigned
      createOrganization           201        201        201        201        201        201        unsigned   refused    refused    unsigned   owners     201        unsigned
      listOrganizations            200        200        200        200        200        200        unsigned   refused    refused    unsigned   200        200        unsigned
      getOrganization              200        200        200        200        hidden     hidden     unsigned   refused    200        unsigned   200        hidden     unsigned
      updateOrganization           200        200        refused    refused    hidden     hidden     unsigned   refused    200        unsigned   owners     hidden     unsigned
      closeOrganization            200        refused    refused    refused    hidden     hidden     unsigned   refused    refused    unsigned   owners     hidden     unsigned
      reopenOrganization           200        hidden     hidden     hidden     hidden     hidden     unsigned   refused    refused    unsigned   owners     hidden     unsigned
      listOrganizationMembers      200        200        200        200        hidden     hidden     unsigned   refused    200        unsigned   200        hidden     unsigned
      setMemberRoles               204        204        refused    refused    hidden     hidden     unsigned   refused    refused    unsigned   owners     hidden     unsigned
      removeOrganizationMember     204        204        refused    refused    hidden     hidden     unsigned   refused    204        unsigned   owners     hidden     unsigned
      leaveOrganization            last       204        204        204        hidden     hidden     unsigned   refused    refused    unsigned   owners     hidden     unsigned
      handOverOrganization         204        refused    refused    refused    hidden     hidden     unsigned   refused    refused    unsigned   owners     hidden     unsigned
      listOrganizationRoles        200        200        200        200        hidden     hidden     unsigned   refused    200        unsigned   200        hidden     unsigned
      createOrganizationRole       201        201        refused    refused    hidden     hidden     unsigned   refused    refused    unsigned   owners     hidden     unsigned
      updateOrganizationRole       200        200        refused    refused    hidden     hidden     unsigned   refused    refused    unsigned   owners     hidden     unsigned
      deleteOrganizationRole       204        204        refused    refused    hidden     hidden     unsigned   refused    refused    unsigned   owners     hidden     unsigned
      inviteToOrganization         201        201        refused    refused    hidden     hidden     unsigned   refused    refused    unsigned   owners     hidden     unsigned
      listOrganizationInvitations  200        200        refused    refused    hidden     hidden     unsigned   refused    200        unsigned   refused    hidden     unsigned
      cancelOrganizationInvitation 204        204        refused    refused    hidden     hidden     unsigned   refused    204        unsigned   owners     hidden     unsigned
      getOrganizationInvitation    200        200        200        200        200        200        200        200        200        200        200        200        200
      acceptOrganizationInvitation 200        200        200        200        200        200        unsigned   refused    refused    unsigned   owners     200        unsigned
      addOrganizationDomain        201        201        refused    refused    hidden     hidden     unsigned   refused    refused    unsigned   owners     hidden     unsigned
      listOrganizationDomains      200        200        refused    refused    hidden     hidden     unsigned   refused    200        unsigned   refused    hidden     unsigned
      verifyOrganizationDomain     200        200        refused    refused    hidden     hidden     unsigned   refused    200        unsigned   owners     hidden     unsigned
      removeOrganizationDomain     204        204        refused    refused    hidden     hidden     unsigned   refused    204        unsigned   owners     hidden     unsigned
      listJoinableOrganizations    200        200        200        200        200        200        unsigned   refused    refused    unsigned   200        200        unsigned
      joinOrganization             200        200        200        200        200        200        unsigned   refused    refused    unsigned   owners     200        unsigned
      getOrganizationPolicies      200        200        200        200        hidden     hidden     unsigned   refused    200        unsigned   200        hidden     unsigned
      updateOrganizationPolicies   200        refused    refused    refused    hidden     hidden     unsigned   refused    refused    unsigned   owners     hidden     unsigned
      createTeam                   201        201        refused    refused    hidden     hidden     unsigned   refused    refused    unsigned   owners     hidden     unsigned
      listTeams                    200        200        200        200        hidden     hidden     unsigned   refused    200        unsigned   200        hidden     unsigned
      updateTeam                   200        200        refused    refused    hidden     hidden     unsigned   refused    refused    unsigned   owners     hidden     unsigned
      deleteTeam                   204        204        refused    refused    hidden     hidden     unsigned   refused    refused    unsigned   owners     hidden     unsigned
      listTeamMembers              200        200        200        200        hidden     hidden     unsigned   refused    200        unsigned   200        hidden     unsigned
      addTeamMember                in it      in it      refused    refused    hidden     hidden     unsigned   refused    refused    unsigned   owners     hidden     unsigned
      setTeamMemberRoles           204        204        refused    refused    hidden     hidden     unsigned   refused    refused    unsigned   owners     hidden     unsigned
      removeTeamMember             204        204        refused    refused    hidden     hidden     unsigned   refused    204        unsigned   owners     hidden     unsigned
      leaveTeam                    204        no team    no team    no team    hidden     hidden     unsigned   refused    no team    unsigned   owners     hidden     unsigned
      createServiceAccount         201        201        refused    refused    hidden     hidden     unsigned   refused    refused    unsigned   owners     hidden     unsigned
      listServiceAccounts          200        200        refused    refused    hidden     hidden     unsigned   refused    200        unsigned   refused    hidden     unsigned
      updateServiceAccount         200        200        refused    refused    hidden     hidden     unsigned   refused    refused    unsigned   owners     hidden     unsigned
      deleteServiceAccount         204        204        refused    refused    hidden     hidden     unsigned   refused    204        unsigned   owners     hidden     unsigned
      createServiceKey             201        201        refused    refused    hidden     hidden     unsigned   refused    refused    unsigned   owners     hidden     unsigned
      listServiceKeys              200        200        refused    refused    hidden     hidden     unsigned   refused    200        unsigned   refused    hidden     unsigned
      revokeServiceKey             204        204        refused    refused    hidden     hidden     unsigned   refused    204        unsigned   owners     hidden     unsigned
      listOrganizationAudit        200        200        refused    refused    hidden     hidden     unsigned   refused    200        unsigned   owners     hidden     unsigned
      searchOrganizations          refused    refused    refused    refused    refused    refused    unsigned   refused    refused    unsigned   owners     200        unsigned
      readAnyOrganization          refused    refused    refused    refused    refused    refused    unsigned   refused    refused    unsigned   owners     200        unsigned
      listAnyOrganizationMembers   refused    refused    refused    refused    refused    refused    unsigned   refused    refused    unsigned   owners     200        unsigned
      closeAnyOrganization         refused    refused    refused    refused    refused    refused    unsigned   refused    refused    unsigned   owners     200        unsigned
      reopenAnyOrganization        refused    refused    refused    refused    refused    refused    unsigned   refused    refused    unsigned   owners     204        unsigned
      addAnyOrganizationOwner      refused    refused    refused    refused    refused    refused    unsigned   refused    refused    unsigned   owners     conflict   unsigned
      clearAnyOrganizationPolicies refused    refused    refused    refused    refused    refused    unsigned   refused    refused    unsigned   owners     conflict   unsigned
      readBoard                    200        200        200        200        hidden     hidden     unsigned   refused    200        unsigned   200        hidden     unsigned
      listCustomers                200        200        200        200        hidden     hidden     unsigned   refused    200        unsigned   200        hidden     unsigned
      readCustomer                 200        200        200        200        hidden     hidden     unsigned   refused    200        unsigned   200        hidden     unsigned
      reportBySql                  200        200        200        200        hidden     hidden     unsigned   refused    200        unsigned   200        hidden     unsigned
      addInvoice                   200        200        200        refused    hidden     hidden     unsigned   refused    200        unsigned   refused    hidden     unsigned
      renameCustomer               200        200        200        refused    hidden     hidden     unsigned   refused    200        unsigned   refused    hidden     unsigned
      deleteInvoices               200        200        200        refused    hidden     hidden     unsigned   refused    200        unsigned   refused    hidden     unsigned
      enqueueReading               200        200        200        200        hidden     hidden     unsigned   refused    200        unsigned   200        hidden     unsigned
      agentCustomers               unsigned   unsigned   unsigned   unsigned   unsigned   unsigned   refused    unsigned   unsigned   200        unsigned   unsigned   unsigned
      agentRenames                 unsigned   unsigned   unsigned   unsigned   unsigned   unsigned   refused    unsigned   unsigned   200        unsigned   unsigned   unsigned
      agentEnqueues                unsigned   unsigned   unsigned   unsigned   unsigned   unsigned   refused    unsigned   unsigned   200        unsigned   unsigned   unsigned
      agentAnywhere                unsigned   unsigned   unsigned   unsigned   unsigned   unsigned   hidden     unsigned   unsigned   200        unsigned   unsigned   unsigned"
    `)
  })

  it('answers each caller in an organization of others so', patience, async () => {
    const [open, closed] = [await otherOf(''), await otherOf('reopenOrganization')]
    const before = [await rowsOf(auth, open.named.org), await rowsOf(auth, closed.named.org)]
    const table = await tableOf(columns, names, async (name, as) => {
      const caller = callerOf(as)
      const isOperator = as === 'superadmin' && operatorNames.includes(name)
      if (isOperator) return cellOf(await askAs(auth, caller, name, (await otherOf(name)).named))
      const { named, mark } = isReopening(name) ? closed : open
      const answer = await askAs(auth, caller, name, named)
      if (name !== offer) expect(answer.text).not.toContain(mark)
      return cellOf(answer)
    })
    // No request has changed anything there.
    expect(await rowsOf(auth, open.named.org)).toBe(before[0])
    expect(await rowsOf(auth, closed.named.org)).toBe(before[1])
    expect(table).toMatchInlineSnapshot(`
      "                             owner      admin      clerk      member     former     stranger   agent      machine    program    org agent  support    superadmin unsigned
      createOrganization           201        201        201        201        201        201        unsigned   refused    refused    unsigned   owners     201        unsigned
      listOrganizations            200        200        200        200        200        200        unsigned   refused    refused    unsigned   200        200        unsigned
      getOrganization              hidden     hidden     hidden     hidden     hidden     hidden     unsigned   hidden     hidden     unsigned   hidden     hidden     unsigned
      updateOrganization           hidden     hidden     hidden     hidden     hidden     hidden     unsigned   hidden     hidden     unsigned   owners     hidden     unsigned
      closeOrganization            hidden     hidden     hidden     hidden     hidden     hidden     unsigned   hidden     hidden     unsigned   owners     hidden     unsigned
      reopenOrganization           hidden     hidden     hidden     hidden     hidden     hidden     unsigned   refused    refused    unsigned   owners     hidden     unsigned
      listOrganizationMembers      hidden     hidden     hidden     hidden     hidden     hidden     unsigned   hidden     hidden     unsigned   hidden     hidden     unsigned
      setMemberRoles               hidden     hidden     hidden     hidden     hidden     hidden     unsigned   hidden     hidden     unsigned   owners     hidden     unsigned
      removeOrganizationMember     hidden     hidden     hidden     hidden     hidden     hidden     unsigned   hidden     hidden     unsigned   owners     hidden     unsigned
      leaveOrganization            hidden     hidden     hidden     hidden     hidden     hidden     unsigned   hidden     hidden     unsigned   owners     hidden     unsigned
      handOverOrganization         hidden     hidden     hidden     hidden     hidden     hidden     unsigned   hidden     hidden     unsigned   owners     hidden     unsigned
      listOrganizationRoles        hidden     hidden     hidden     hidden     hidden     hidden     unsigned   hidden     hidden     unsigned   hidden     hidden     unsigned
      createOrganizationRole       hidden     hidden     hidden     hidden     hidden     hidden     unsigned   hidden     hidden     unsigned   owners     hidden     unsigned
      updateOrganizationRole       hidden     hidden     hidden     hidden     hidden     hidden     unsigned   hidden     hidden     unsigned   owners     hidden     unsigned
      deleteOrganizationRole       hidden     hidden     hidden     hidden     hidden     hidden     unsigned   hidden     hidden     unsigned   owners     hidden     unsigned
      inviteToOrganization         hidden     hidden     hidden     hidden     hidden     hidden     unsigned   hidden     hidden     unsigned   owners     hidden     unsigned
      listOrganizationInvitations  hidden     hidden     hidden     hidden     hidden     hidden     unsigned   hidden     hidden     unsigned   hidden     hidden     unsigned
      cancelOrganizationInvitation hidden     hidden     hidden     hidden     hidden     hidden     unsigned   hidden     hidden     unsigned   owners     hidden     unsigned
      getOrganizationInvitation    200        200        200        200        200        200        200        200        200        200        200        200        200
      acceptOrganizationInvitation no invite  no invite  no invite  no invite  no invite  no invite  unsigned   refused    refused    unsigned   owners     no invite  unsigned
      addOrganizationDomain        hidden     hidden     hidden     hidden     hidden     hidden     unsigned   hidden     hidden     unsigned   owners     hidden     unsigned
      listOrganizationDomains      hidden     hidden     hidden     hidden     hidden     hidden     unsigned   hidden     hidden     unsigned   hidden     hidden     unsigned
      verifyOrganizationDomain     hidden     hidden     hidden     hidden     hidden     hidden     unsigned   hidden     hidden     unsigned   owners     hidden     unsigned
      removeOrganizationDomain     hidden     hidden     hidden     hidden     hidden     hidden     unsigned   hidden     hidden     unsigned   owners     hidden     unsigned
      listJoinableOrganizations    200        200        200        200        200        200        unsigned   refused    refused    unsigned   200        200        unsigned
      joinOrganization             hidden     hidden     hidden     hidden     hidden     hidden     unsigned   refused    refused    unsigned   owners     hidden     unsigned
      getOrganizationPolicies      hidden     hidden     hidden     hidden     hidden     hidden     unsigned   hidden     hidden     unsigned   hidden     hidden     unsigned
      updateOrganizationPolicies   hidden     hidden     hidden     hidden     hidden     hidden     unsigned   hidden     hidden     unsigned   owners     hidden     unsigned
      createTeam                   hidden     hidden     hidden     hidden     hidden     hidden     unsigned   hidden     hidden     unsigned   owners     hidden     unsigned
      listTeams                    hidden     hidden     hidden     hidden     hidden     hidden     unsigned   hidden     hidden     unsigned   hidden     hidden     unsigned
      updateTeam                   hidden     hidden     hidden     hidden     hidden     hidden     unsigned   hidden     hidden     unsigned   owners     hidden     unsigned
      deleteTeam                   hidden     hidden     hidden     hidden     hidden     hidden     unsigned   hidden     hidden     unsigned   owners     hidden     unsigned
      listTeamMembers              hidden     hidden     hidden     hidden     hidden     hidden     unsigned   hidden     hidden     unsigned   hidden     hidden     unsigned
      addTeamMember                hidden     hidden     hidden     hidden     hidden     hidden     unsigned   hidden     hidden     unsigned   owners     hidden     unsigned
      setTeamMemberRoles           hidden     hidden     hidden     hidden     hidden     hidden     unsigned   hidden     hidden     unsigned   owners     hidden     unsigned
      removeTeamMember             hidden     hidden     hidden     hidden     hidden     hidden     unsigned   hidden     hidden     unsigned   owners     hidden     unsigned
      leaveTeam                    hidden     hidden     hidden     hidden     hidden     hidden     unsigned   hidden     hidden     unsigned   owners     hidden     unsigned
      createServiceAccount         hidden     hidden     hidden     hidden     hidden     hidden     unsigned   hidden     hidden     unsigned   owners     hidden     unsigned
      listServiceAccounts          hidden     hidden     hidden     hidden     hidden     hidden     unsigned   hidden     hidden     unsigned   hidden     hidden     unsigned
      updateServiceAccount         hidden     hidden     hidden     hidden     hidden     hidden     unsigned   hidden     hidden     unsigned   owners     hidden     unsigned
      deleteServiceAccount         hidden     hidden     hidden     hidden     hidden     hidden     unsigned   hidden     hidden     unsigned   owners     hidden     unsigned
      createServiceKey             hidden     hidden     hidden     hidden     hidden     hidden     unsigned   hidden     hidden     unsigned   owners     hidden     unsigned
      listServiceKeys              hidden     hidden     hidden     hidden     hidden     hidden     unsigned   hidden     hidden     unsigned   hidden     hidden     unsigned
      revokeServiceKey             hidden     hidden     hidden     hidden     hidden     hidden     unsigned   hidden     hidden     unsigned   owners     hidden     unsigned
      listOrganizationAudit        hidden     hidden     hidden     hidden     hidden     hidden     unsigned   hidden     hidden     unsigned   owners     hidden     unsigned
      searchOrganizations          refused    refused    refused    refused    refused    refused    unsigned   refused    refused    unsigned   owners     200        unsigned
      readAnyOrganization          refused    refused    refused    refused    refused    refused    unsigned   refused    refused    unsigned   owners     200        unsigned
      listAnyOrganizationMembers   refused    refused    refused    refused    refused    refused    unsigned   refused    refused    unsigned   owners     200        unsigned
      closeAnyOrganization         refused    refused    refused    refused    refused    refused    unsigned   refused    refused    unsigned   owners     200        unsigned
      reopenAnyOrganization        refused    refused    refused    refused    refused    refused    unsigned   refused    refused    unsigned   owners     204        unsigned
      addAnyOrganizationOwner      refused    refused    refused    refused    refused    refused    unsigned   refused    refused    unsigned   owners     conflict   unsigned
      clearAnyOrganizationPolicies refused    refused    refused    refused    refused    refused    unsigned   refused    refused    unsigned   owners     conflict   unsigned
      readBoard                    hidden     hidden     hidden     hidden     hidden     hidden     unsigned   hidden     hidden     unsigned   hidden     hidden     unsigned
      listCustomers                hidden     hidden     hidden     hidden     hidden     hidden     unsigned   hidden     hidden     unsigned   hidden     hidden     unsigned
      readCustomer                 hidden     hidden     hidden     hidden     hidden     hidden     unsigned   hidden     hidden     unsigned   hidden     hidden     unsigned
      reportBySql                  hidden     hidden     hidden     hidden     hidden     hidden     unsigned   hidden     hidden     unsigned   hidden     hidden     unsigned
      addInvoice                   hidden     hidden     hidden     hidden     hidden     hidden     unsigned   hidden     hidden     unsigned   hidden     hidden     unsigned
      renameCustomer               hidden     hidden     hidden     hidden     hidden     hidden     unsigned   hidden     hidden     unsigned   hidden     hidden     unsigned
      deleteInvoices               hidden     hidden     hidden     hidden     hidden     hidden     unsigned   hidden     hidden     unsigned   hidden     hidden     unsigned
      enqueueReading               hidden     hidden     hidden     hidden     hidden     hidden     unsigned   hidden     hidden     unsigned   hidden     hidden     unsigned
      agentCustomers               unsigned   unsigned   unsigned   unsigned   unsigned   unsigned   hidden     unsigned   unsigned   hidden     unsigned   unsigned   unsigned
      agentRenames                 unsigned   unsigned   unsigned   unsigned   unsigned   unsigned   hidden     unsigned   unsigned   hidden     unsigned   unsigned   unsigned
      agentEnqueues                unsigned   unsigned   unsigned   unsigned   unsigned   unsigned   hidden     unsigned   unsigned   hidden     unsigned   unsigned   unsigned
      agentAnywhere                unsigned   unsigned   unsigned   unsigned   unsigned   unsigned   hidden     unsigned   unsigned   200        unsigned   unsigned   unsigned"
    `)
  })

  it('answers an owner, or an agent, who names what is in another organization so', async () => {
    const rows: string[] = []
    for (const name of names) {
      const as = name.startsWith('agent') ? 'org agent' : 'owner'
      const [own, other] = [await ownOf(name, as), await otherOf(name)]
      const before = await rowsOf(auth, other.named.org)
      for (const id of namesIn(name)) {
        if (id === 'org') continue
        const mixed: Named = { ...own.named, [id]: other.named[id] }
        const answer = await askAs(auth, callerOf(as), name, mixed)
        if (name !== offer) expect(answer.text).not.toContain(other.mark)
        rows.push(`${name.padEnd(29)} ${id.padEnd(15)} ${cellOf(answer)}`)
      }
      expect(await rowsOf(auth, other.named.org)).toBe(before)
    }
    expect(rows.join('\n')).toMatchInlineSnapshot(`
      "reopenOrganization            organizationId  hidden
      listOrganizationMembers       after           200
      setMemberRoles                userId          404 MemberNotFoundError
      setMemberRoles                role            404 OrganizationRoleNotFoundError
      removeOrganizationMember      userId          404 MemberNotFoundError
      handOverOrganization          userId          404 MemberNotFoundError
      updateOrganizationRole        role            404 OrganizationRoleNotFoundError
      deleteOrganizationRole        role            404 OrganizationRoleNotFoundError
      inviteToOrganization          role            404 OrganizationRoleNotFoundError
      cancelOrganizationInvitation  invitationId    no invite
      getOrganizationInvitation     token           200
      acceptOrganizationInvitation  token           no invite
      addOrganizationDomain         role            404 OrganizationRoleNotFoundError
      verifyOrganizationDomain      domain          404 OrganizationDomainNotFoundError
      removeOrganizationDomain      domain          404 OrganizationDomainNotFoundError
      joinOrganization              organizationId  hidden
      createTeam                    role            404 OrganizationRoleNotFoundError
      updateTeam                    teamId          no team
      updateTeam                    role            404 OrganizationRoleNotFoundError
      deleteTeam                    teamId          no team
      listTeamMembers               teamId          no team
      listTeamMembers               after           200
      addTeamMember                 teamId          no team
      addTeamMember                 userId          404 MemberNotFoundError
      addTeamMember                 role            404 OrganizationRoleNotFoundError
      setTeamMemberRoles            teamId          no team
      setTeamMemberRoles            userId          404 MemberNotFoundError
      setTeamMemberRoles            role            404 OrganizationRoleNotFoundError
      removeTeamMember              teamId          no team
      removeTeamMember              userId          404 MemberNotFoundError
      leaveTeam                     teamId          no team
      createServiceAccount          role            404 OrganizationRoleNotFoundError
      updateServiceAccount          programId       no program
      updateServiceAccount          role            404 OrganizationRoleNotFoundError
      deleteServiceAccount          programId       no program
      createServiceKey              programId       no program
      listServiceKeys               programId       no program
      revokeServiceKey              programId       no program
      revokeServiceKey              keyId           404 KeyNotFoundError
      listOrganizationAudit         userId          200
      addAnyOrganizationOwner       userId          refused
      readCustomer                  customerId      200
      reportBySql                   organizationId  200
      addInvoice                    customerId      409 ForeignRowError
      addInvoice                    organizationId  409 ForeignRowError
      renameCustomer                customerId      200
      deleteInvoices                customerId      200
      agentRenames                  customerId      200"
    `)
  })
})

describe('an operation of sign-in', () => {
  it('does no more for a program of an organization than for a stranger, but for these', async () => {
    const { program, orgAgent } = await programsOf(auth, users.owner)
    const byLast = (name: string) => Number(name === 'logout')
    const more: string[] = []
    const table = routeTable(createAuthRouter({ routes: {} }))
    for (const { name, route } of table.toSorted((a, b) => byLast(a.name) - byLast(b.name))) {
      const { method, path } = route.operation
      const named = [...path.matchAll(/:(\w+)/g)].map(([, each = '']) => [
        each,
        crypto.randomUUID(),
      ])
      const asked = { method, path, input: { params: Object.fromEntries(named) } }
      const answers = [{}, program.caller, orgAgent.caller].map((caller) =>
        askAt(auth, caller, asked),
      )
      const [stranger, ...theirs] = await Promise.all(answers)
      for (const [at, { status }] of theirs.entries()) {
        const isMore = status !== stranger?.status && status !== 401 && status !== 403
        if (isMore) more.push(`${at === 0 ? 'program' : 'org agent'} ${name} ${status}`)
      }
    }
    expect(table.length).toBeGreaterThan(100)
    expect(more.toSorted()).toMatchInlineSnapshot(`
      [
        "program getAuthSession 200",
        "program issueOneTimeToken 200",
        "program logout 204",
        "program rotateKey 415",
      ]
    `)
  })
})

describe('the audit trail', () => {
  const renamedBy = async (
    caller: Caller,
    organization: TestOrganization,
    name = 'renameCustomer',
  ) => {
    const { customerId } = organization.named
    await askAs(auth, caller, name, organization.named)
    const { data } = (
      await auth.call('listAuditEvents', undefined, users.superadmin.key, {
        query: { act: renaming, target: customerId },
      })
    ).body
    return data[0]
  }

  it('names the organization of an act, although the route does not', async () => {
    const own = await ownOf('')
    expect(await renamedBy(users.owner, own)).toMatchObject({
      actor: users.owner.userId,
      details: { organizationId: own.named.org },
    })
  })

  it.each([
    ['program', 'renameCustomer'],
    ['org agent', 'agentRenames'],
  ])('names the account and the organization of a %s, and no person', async (as, name) => {
    const own = await ownOf('', as)
    const line = await renamedBy(callerOf(as), own, name)
    expect(line).toMatchObject({
      actor: programs[as],
      details: { organizationId: own.named.org },
    })
    expect(JSON.stringify(line)).not.toContain(users.owner.userId)
  })

  it('names the operator, the member and the organization of a support session', async () => {
    const members = { [users.supported.userId]: ['admin'] }
    const own = await newOrganization(auth, { members })
    expect(await renamedBy(callers['support'] ?? {}, own)).toMatchObject({
      actor: users.superadmin.userId,
      details: { onBehalfOf: users.supported.userId, organizationId: own.named.org },
    })
  })
})

describe('a job of an organization', () => {
  it('reads its rows and no others', async () => {
    const asked = [
      { as: 'owner', name: 'enqueueReading', ...(await ownOf('')) },
      { as: 'clerk', name: 'enqueueReading', ...(await ownOf('')) },
      { as: 'program', name: 'enqueueReading', ...(await ownOf('', 'program')) },
      { as: 'org agent', name: 'agentEnqueues', ...(await ownOf('', 'org agent')) },
    ]
    for (const { as, name, named } of asked) await askAs(auth, callerOf(as), name, named)
    await expect
      .poll(() => asked.map(({ named }) => jobsOf(named.org).length))
      .toEqual([1, 1, 1, 1])
    for (const { named, mark } of asked) {
      const [text = ''] = jobsOf(named.org)
      expect(text.match(/mark-[0-9a-f]+/g)).toEqual([mark])
    }
  })
})

const jobsOf = (org: string) =>
  [...seen].filter(([run]) => run.startsWith(org)).map(([, text]) => text)

const streamWords: Readonly<Record<string, string>> = {
  ForbiddenError: 'refused',
  UnauthorizedError: 'unsigned',
}

describe('a channel of an organization', () => {
  it('is open to its members alone', async () => {
    const outcomeOf = async (caller: Caller, org: string) => {
      const client = createAuthSSEClient<typeof eventRouter>({
        host: auth.url,
        sign: async (request) => {
          if ('token' in caller) return { authorization: `Bearer ${caller.token}` }
          return 'key' in caller ? auth.signerOf(caller.key)(request) : {}
        },
      })
      const { promise, resolve } = Promise.withResolvers<string>()
      const end = client.subscribe({
        handlers: {},
        channels: { boardChanged: { [org]: () => undefined } },
        onOpen: () => resolve('open'),
        onRejected: ({ name }: Error) => resolve(streamWords[name] ?? name),
      })
      return promise.finally(end)
    }
    const table = await tableOf(columns, ['own', 'other'], async (whose, as) => {
      const { named } = whose === 'own' ? await ownOf('', as) : await otherOf('')
      return outcomeOf(callerOf(as), named.org)
    })
    expect(table).toMatchInlineSnapshot(`
      "      owner      admin      clerk      member     former     stranger   agent      machine    program    org agent  support    superadmin unsigned
      own   open       open       open       open       refused    refused    unsigned   refused    open       unsigned   open       refused    unsigned
      other refused    refused    refused    refused    refused    refused    unsigned   refused    refused    unsigned   refused    refused    unsigned"
    `)
  })
})
