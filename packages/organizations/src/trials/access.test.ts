import { startTestAuth } from '@svc/auth/testing'
import { createAuthSSEClient } from '@svc/core/client'
import { afterAll, describe, expect, it } from 'vitest'
import { inputs, type Named, namesIn, operatorNames } from './inputs.ts'
import {
  askAs,
  type Caller,
  newOrganization,
  peopleOf,
  rowsOf,
  type TestOrganization,
} from './people.ts'
import { definition, type eventRouter, renaming, seen } from './test-application.ts'

const auth = await startTestAuth({ definition })
afterAll(() => auth.stop())
const { users, callers } = await peopleOf(auth)

/** What the cells of the tables say. Any other answer is written out. */
const words: Readonly<Record<string, string>> = {
  '404 OrganizationNotFoundError': 'hidden',
  '403 ForbiddenError': 'refused',
  '401 UnauthorizedError': 'unsigned',
  '403 SupportSessionForbiddenError': 'owners',
  '409 LastOwnerError': 'last',
  '403 MoreThanOwnRoleError': 'greater',
  '404 TeamNotFoundError': 'no team',
  '409 AlreadyInTeamError': 'in it',
  '409 ConflictError': 'conflict',
  '404 OrganizationInvitationNotFoundError': 'no invite',
}

function cellOf({ status, text }: { status: number; text: string }) {
  if (status < 300) return String(status)
  const code = `${status} ${JSON.parse(text).error?.code}`
  return words[code] ?? code
}

const reopening = ['reopenOrganization', 'reopenAnyOrganization']

// An organization for each cell, so that none finds what another one has changed.
const ownOf = (name: string, invited: string | undefined) =>
  newOrganization(auth, {
    members: {
      [users.owner.userId]: ['owner'],
      [users.admin.userId]: ['admin'],
      [users.clerk.userId]: ['clerk'],
      [users.member.userId]: ['member'],
      [users.supported.userId]: ['member'],
    },
    ...(invited !== undefined && { invited }),
    isClosed: reopening.includes(name),
  })

/** One in which none of the callers is. */
const otherOf = (name: string) =>
  newOrganization(auth, {
    members: { [crypto.randomUUID()]: ['owner'] },
    isClosed: reopening.includes(name),
  })

const columns = Object.keys(callers)
const emails: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(users).map(([name, { email }]) => [name, email]),
)

type Answer = (caller: Caller, name: string, as: string) => Promise<string>

async function tableOf(names: readonly string[], answer: Answer) {
  const width = Math.max(...names.map((name) => name.length))
  const line = (first: string, cells: readonly string[]) =>
    [first.padEnd(width), ...cells.map((cell) => cell.padEnd(10))].join(' ').trimEnd()
  const rows: string[] = []
  for (const name of names) {
    const cells = columns.map((as) => answer(callers[as] ?? {}, name, as))
    rows.push(line(name, await Promise.all(cells)))
  }
  return [line('', columns), ...rows].join('\n')
}

const names = Object.keys(inputs)

/** Routes whose answers show rows of a tenant table. */
const showing = ['listCustomers', 'readCustomer', 'reportBySql']

describe('every operation', () => {
  it('answers each caller in an organization of theirs so', async () => {
    const table = await tableOf(names, async (caller, name, as) => {
      const { named, mark } = await ownOf(name, emails[as])
      const answer = await askAs(auth, caller, name, named)
      if (answer.status === 200 && showing.includes(name)) expect(answer.text).toContain(mark)
      return cellOf(answer)
    })
    expect(table).toMatchInlineSnapshot(`
      "                             owner      admin      clerk      member     former     stranger   agent      machine    support    superadmin unsigned
      createOrganization           201        201        201        201        201        201        unsigned   refused    owners     201        unsigned
      listOrganizations            200        200        200        200        200        200        unsigned   refused    200        200        unsigned
      getOrganization              200        200        200        200        hidden     hidden     unsigned   refused    200        hidden     unsigned
      updateOrganization           200        200        refused    refused    hidden     hidden     unsigned   refused    owners     hidden     unsigned
      closeOrganization            200        refused    refused    refused    hidden     hidden     unsigned   refused    owners     hidden     unsigned
      reopenOrganization           200        hidden     hidden     hidden     hidden     hidden     unsigned   refused    owners     hidden     unsigned
      listOrganizationMembers      200        200        200        200        hidden     hidden     unsigned   refused    200        hidden     unsigned
      setMemberRoles               204        204        refused    refused    hidden     hidden     unsigned   refused    owners     hidden     unsigned
      removeOrganizationMember     204        204        refused    refused    hidden     hidden     unsigned   refused    owners     hidden     unsigned
      leaveOrganization            last       204        204        204        hidden     hidden     unsigned   refused    owners     hidden     unsigned
      handOverOrganization         204        refused    refused    refused    hidden     hidden     unsigned   refused    owners     hidden     unsigned
      listOrganizationRoles        200        200        200        200        hidden     hidden     unsigned   refused    200        hidden     unsigned
      createOrganizationRole       201        201        refused    refused    hidden     hidden     unsigned   refused    owners     hidden     unsigned
      updateOrganizationRole       200        200        refused    refused    hidden     hidden     unsigned   refused    owners     hidden     unsigned
      deleteOrganizationRole       204        204        refused    refused    hidden     hidden     unsigned   refused    owners     hidden     unsigned
      inviteToOrganization         201        201        refused    refused    hidden     hidden     unsigned   refused    owners     hidden     unsigned
      listOrganizationInvitations  200        200        refused    refused    hidden     hidden     unsigned   refused    refused    hidden     unsigned
      cancelOrganizationInvitation 204        204        refused    refused    hidden     hidden     unsigned   refused    owners     hidden     unsigned
      acceptOrganizationInvitation 200        200        200        200        200        200        unsigned   refused    owners     200        unsigned
      getOrganizationPolicies      200        200        200        200        hidden     hidden     unsigned   refused    200        hidden     unsigned
      updateOrganizationPolicies   200        refused    refused    refused    hidden     hidden     unsigned   refused    owners     hidden     unsigned
      createTeam                   201        201        refused    refused    hidden     hidden     unsigned   refused    owners     hidden     unsigned
      listTeams                    200        200        200        200        hidden     hidden     unsigned   refused    200        hidden     unsigned
      updateTeam                   200        200        refused    refused    hidden     hidden     unsigned   refused    owners     hidden     unsigned
      deleteTeam                   204        204        refused    refused    hidden     hidden     unsigned   refused    owners     hidden     unsigned
      listTeamMembers              200        200        200        200        hidden     hidden     unsigned   refused    200        hidden     unsigned
      addTeamMember                in it      in it      refused    refused    hidden     hidden     unsigned   refused    owners     hidden     unsigned
      setTeamMemberRoles           204        204        refused    refused    hidden     hidden     unsigned   refused    owners     hidden     unsigned
      removeTeamMember             204        204        refused    refused    hidden     hidden     unsigned   refused    owners     hidden     unsigned
      leaveTeam                    204        no team    no team    no team    hidden     hidden     unsigned   refused    owners     hidden     unsigned
      createServiceAccount         201        201        refused    refused    hidden     hidden     unsigned   refused    owners     hidden     unsigned
      listServiceAccounts          200        200        refused    refused    hidden     hidden     unsigned   refused    refused    hidden     unsigned
      updateServiceAccount         404 ServiceAccountNotFoundError 404 ServiceAccountNotFoundError refused    refused    hidden     hidden     unsigned   refused    owners     hidden     unsigned
      deleteServiceAccount         404 ServiceAccountNotFoundError 404 ServiceAccountNotFoundError refused    refused    hidden     hidden     unsigned   refused    owners     hidden     unsigned
      createServiceKey             404 ServiceAccountNotFoundError 404 ServiceAccountNotFoundError refused    refused    hidden     hidden     unsigned   refused    owners     hidden     unsigned
      listServiceKeys              404 ServiceAccountNotFoundError 404 ServiceAccountNotFoundError refused    refused    hidden     hidden     unsigned   refused    refused    hidden     unsigned
      revokeServiceKey             404 ServiceAccountNotFoundError 404 ServiceAccountNotFoundError refused    refused    hidden     hidden     unsigned   refused    owners     hidden     unsigned
      listOrganizationAudit        200        200        refused    refused    hidden     hidden     unsigned   refused    owners     hidden     unsigned
      searchOrganizations          refused    refused    refused    refused    refused    refused    unsigned   refused    owners     200        unsigned
      readAnyOrganization          refused    refused    refused    refused    refused    refused    unsigned   refused    owners     200        unsigned
      listAnyOrganizationMembers   refused    refused    refused    refused    refused    refused    unsigned   refused    owners     200        unsigned
      closeAnyOrganization         refused    refused    refused    refused    refused    refused    unsigned   refused    owners     200        unsigned
      reopenAnyOrganization        refused    refused    refused    refused    refused    refused    unsigned   refused    owners     204        unsigned
      addAnyOrganizationOwner      refused    refused    refused    refused    refused    refused    unsigned   refused    owners     conflict   unsigned
      clearAnyOrganizationPolicies refused    refused    refused    refused    refused    refused    unsigned   refused    owners     conflict   unsigned
      readBoard                    200        200        200        200        hidden     hidden     unsigned   refused    200        hidden     unsigned
      listCustomers                200        200        200        200        hidden     hidden     unsigned   refused    200        hidden     unsigned
      readCustomer                 200        200        200        200        hidden     hidden     unsigned   refused    200        hidden     unsigned
      reportBySql                  200        200        200        200        hidden     hidden     unsigned   refused    200        hidden     unsigned
      addInvoice                   200        200        200        refused    hidden     hidden     unsigned   refused    refused    hidden     unsigned
      renameCustomer               200        200        200        refused    hidden     hidden     unsigned   refused    refused    hidden     unsigned
      deleteInvoices               200        200        200        refused    hidden     hidden     unsigned   refused    refused    hidden     unsigned
      enqueueReading               200        200        200        200        hidden     hidden     unsigned   refused    200        hidden     unsigned"
    `)
  })

  it('answers each caller in an organization of others so', async () => {
    const [open, closed] = [await otherOf(''), await otherOf('reopenOrganization')]
    const before = [await rowsOf(auth, open.named.org), await rowsOf(auth, closed.named.org)]
    const table = await tableOf(names, async (caller, name, as) => {
      const isOperator = as === 'superadmin' && operatorNames.includes(name)
      if (isOperator) return cellOf(await askAs(auth, caller, name, (await otherOf(name)).named))
      const { named, mark } = reopening.includes(name) ? closed : open
      const answer = await askAs(auth, caller, name, named)
      expect(answer.text).not.toContain(mark)
      return cellOf(answer)
    })
    // No request has changed anything there.
    expect(await rowsOf(auth, open.named.org)).toBe(before[0])
    expect(await rowsOf(auth, closed.named.org)).toBe(before[1])
    expect(table).toMatchInlineSnapshot(`
      "                             owner      admin      clerk      member     former     stranger   agent      machine    support    superadmin unsigned
      createOrganization           201        201        201        201        201        201        unsigned   refused    owners     201        unsigned
      listOrganizations            200        200        200        200        200        200        unsigned   refused    200        200        unsigned
      getOrganization              hidden     hidden     hidden     hidden     hidden     hidden     unsigned   hidden     hidden     hidden     unsigned
      updateOrganization           hidden     hidden     hidden     hidden     hidden     hidden     unsigned   hidden     owners     hidden     unsigned
      closeOrganization            hidden     hidden     hidden     hidden     hidden     hidden     unsigned   hidden     owners     hidden     unsigned
      reopenOrganization           hidden     hidden     hidden     hidden     hidden     hidden     unsigned   refused    owners     hidden     unsigned
      listOrganizationMembers      hidden     hidden     hidden     hidden     hidden     hidden     unsigned   hidden     hidden     hidden     unsigned
      setMemberRoles               hidden     hidden     hidden     hidden     hidden     hidden     unsigned   hidden     owners     hidden     unsigned
      removeOrganizationMember     hidden     hidden     hidden     hidden     hidden     hidden     unsigned   hidden     owners     hidden     unsigned
      leaveOrganization            hidden     hidden     hidden     hidden     hidden     hidden     unsigned   hidden     owners     hidden     unsigned
      handOverOrganization         hidden     hidden     hidden     hidden     hidden     hidden     unsigned   hidden     owners     hidden     unsigned
      listOrganizationRoles        hidden     hidden     hidden     hidden     hidden     hidden     unsigned   hidden     hidden     hidden     unsigned
      createOrganizationRole       hidden     hidden     hidden     hidden     hidden     hidden     unsigned   hidden     owners     hidden     unsigned
      updateOrganizationRole       hidden     hidden     hidden     hidden     hidden     hidden     unsigned   hidden     owners     hidden     unsigned
      deleteOrganizationRole       hidden     hidden     hidden     hidden     hidden     hidden     unsigned   hidden     owners     hidden     unsigned
      inviteToOrganization         hidden     hidden     hidden     hidden     hidden     hidden     unsigned   hidden     owners     hidden     unsigned
      listOrganizationInvitations  hidden     hidden     hidden     hidden     hidden     hidden     unsigned   hidden     hidden     hidden     unsigned
      cancelOrganizationInvitation hidden     hidden     hidden     hidden     hidden     hidden     unsigned   hidden     owners     hidden     unsigned
      acceptOrganizationInvitation no invite  no invite  no invite  no invite  no invite  no invite  unsigned   refused    owners     no invite  unsigned
      getOrganizationPolicies      hidden     hidden     hidden     hidden     hidden     hidden     unsigned   hidden     hidden     hidden     unsigned
      updateOrganizationPolicies   hidden     hidden     hidden     hidden     hidden     hidden     unsigned   hidden     owners     hidden     unsigned
      createTeam                   hidden     hidden     hidden     hidden     hidden     hidden     unsigned   hidden     owners     hidden     unsigned
      listTeams                    hidden     hidden     hidden     hidden     hidden     hidden     unsigned   hidden     hidden     hidden     unsigned
      updateTeam                   hidden     hidden     hidden     hidden     hidden     hidden     unsigned   hidden     owners     hidden     unsigned
      deleteTeam                   hidden     hidden     hidden     hidden     hidden     hidden     unsigned   hidden     owners     hidden     unsigned
      listTeamMembers              hidden     hidden     hidden     hidden     hidden     hidden     unsigned   hidden     hidden     hidden     unsigned
      addTeamMember                hidden     hidden     hidden     hidden     hidden     hidden     unsigned   hidden     owners     hidden     unsigned
      setTeamMemberRoles           hidden     hidden     hidden     hidden     hidden     hidden     unsigned   hidden     owners     hidden     unsigned
      removeTeamMember             hidden     hidden     hidden     hidden     hidden     hidden     unsigned   hidden     owners     hidden     unsigned
      leaveTeam                    hidden     hidden     hidden     hidden     hidden     hidden     unsigned   hidden     owners     hidden     unsigned
      createServiceAccount         hidden     hidden     hidden     hidden     hidden     hidden     unsigned   hidden     owners     hidden     unsigned
      listServiceAccounts          hidden     hidden     hidden     hidden     hidden     hidden     unsigned   hidden     hidden     hidden     unsigned
      updateServiceAccount         hidden     hidden     hidden     hidden     hidden     hidden     unsigned   hidden     owners     hidden     unsigned
      deleteServiceAccount         hidden     hidden     hidden     hidden     hidden     hidden     unsigned   hidden     owners     hidden     unsigned
      createServiceKey             hidden     hidden     hidden     hidden     hidden     hidden     unsigned   hidden     owners     hidden     unsigned
      listServiceKeys              hidden     hidden     hidden     hidden     hidden     hidden     unsigned   hidden     hidden     hidden     unsigned
      revokeServiceKey             hidden     hidden     hidden     hidden     hidden     hidden     unsigned   hidden     owners     hidden     unsigned
      listOrganizationAudit        hidden     hidden     hidden     hidden     hidden     hidden     unsigned   hidden     owners     hidden     unsigned
      searchOrganizations          refused    refused    refused    refused    refused    refused    unsigned   refused    owners     200        unsigned
      readAnyOrganization          refused    refused    refused    refused    refused    refused    unsigned   refused    owners     200        unsigned
      listAnyOrganizationMembers   refused    refused    refused    refused    refused    refused    unsigned   refused    owners     200        unsigned
      closeAnyOrganization         refused    refused    refused    refused    refused    refused    unsigned   refused    owners     200        unsigned
      reopenAnyOrganization        refused    refused    refused    refused    refused    refused    unsigned   refused    owners     204        unsigned
      addAnyOrganizationOwner      refused    refused    refused    refused    refused    refused    unsigned   refused    owners     conflict   unsigned
      clearAnyOrganizationPolicies refused    refused    refused    refused    refused    refused    unsigned   refused    owners     conflict   unsigned
      readBoard                    hidden     hidden     hidden     hidden     hidden     hidden     unsigned   hidden     hidden     hidden     unsigned
      listCustomers                hidden     hidden     hidden     hidden     hidden     hidden     unsigned   hidden     hidden     hidden     unsigned
      readCustomer                 hidden     hidden     hidden     hidden     hidden     hidden     unsigned   hidden     hidden     hidden     unsigned
      reportBySql                  hidden     hidden     hidden     hidden     hidden     hidden     unsigned   hidden     hidden     hidden     unsigned
      addInvoice                   hidden     hidden     hidden     hidden     hidden     hidden     unsigned   hidden     hidden     hidden     unsigned
      renameCustomer               hidden     hidden     hidden     hidden     hidden     hidden     unsigned   hidden     hidden     hidden     unsigned
      deleteInvoices               hidden     hidden     hidden     hidden     hidden     hidden     unsigned   hidden     hidden     hidden     unsigned
      enqueueReading               hidden     hidden     hidden     hidden     hidden     hidden     unsigned   hidden     hidden     hidden     unsigned"
    `)
  })

  it('answers an owner who names what is in another organization so', async () => {
    const rows: string[] = []
    for (const name of names) {
      const [own, other] = [await ownOf(name, undefined), await otherOf(name)]
      const before = await rowsOf(auth, other.named.org)
      for (const id of namesIn(name)) {
        if (id === 'org') continue
        const mixed: Named = { ...own.named, [id]: other.named[id] }
        const answer = await askAs(auth, users.owner, name, mixed)
        expect(answer.text).not.toContain(other.mark)
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
      acceptOrganizationInvitation  token           no invite
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
      updateServiceAccount          userId          404 ServiceAccountNotFoundError
      deleteServiceAccount          userId          404 ServiceAccountNotFoundError
      createServiceKey              userId          404 ServiceAccountNotFoundError
      listServiceKeys               userId          404 ServiceAccountNotFoundError
      revokeServiceKey              userId          404 ServiceAccountNotFoundError
      listOrganizationAudit         userId          200
      addAnyOrganizationOwner       userId          refused
      readCustomer                  customerId      200
      reportBySql                   organizationId  200
      addInvoice                    customerId      409 ForeignRowError
      addInvoice                    organizationId  409 ForeignRowError
      renameCustomer                customerId      200
      deleteInvoices                customerId      200"
    `)
  })
})

describe('the audit trail', () => {
  const renamedBy = async (caller: Caller, organization: TestOrganization) => {
    const { customerId } = organization.named
    await askAs(auth, caller, 'renameCustomer', organization.named)
    const { data } = (
      await auth.call('listAuditEvents', undefined, users.superadmin.key, {
        query: { act: renaming, target: customerId },
      })
    ).body
    return data[0]
  }

  it('names the organization of an act, although the route does not', async () => {
    const own = await ownOf('', undefined)
    expect(await renamedBy(users.owner, own)).toMatchObject({
      actor: users.owner.userId,
      details: { organizationId: own.named.org },
    })
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
    const two = [await ownOf('', undefined), await ownOf('', undefined)]
    for (const { named } of two) await askAs(auth, users.owner, 'enqueueReading', named)
    await expect.poll(() => two.map(({ named }) => jobsOf(named.org).length)).toEqual([1, 1])
    for (const { named, mark } of two) {
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
    const table = await tableOf(['own', 'other'], async (caller, whose) => {
      const { named } = whose === 'own' ? await ownOf('', undefined) : await otherOf('')
      return outcomeOf(caller, named.org)
    })
    expect(table).toMatchInlineSnapshot(`
      "      owner      admin      clerk      member     former     stranger   agent      machine    support    superadmin unsigned
      own   open       open       open       open       refused    refused    unsigned   refused    open       refused    unsigned
      other refused    refused    refused    refused    refused    refused    unsigned   refused    refused    refused    unsigned"
    `)
  })
})
