import { Resolver } from 'node:dns/promises'
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { operatorNames } from '../../packages/organizations/src/trials/inputs.ts'
import { rowsOf } from '../../packages/organizations/src/trials/people.ts'
import { cellOf, tableOf } from '../../packages/organizations/src/trials/table.ts'
import { challenge } from '../../packages/organizations/src/trials/test-application.ts'
import { isOfBoard, noticeOf, operations, startStarter, takesOrganization } from './test-starter.ts'

const { auth, columns, askIn, ownOf, otherOf, isReopening } = await startStarter()
afterAll(() => auth.stop())

// Each domain has the record that proves it.
beforeEach(() => {
  vi.spyOn(Resolver.prototype, 'resolveTxt').mockResolvedValue([[challenge]])
})

// A user may own only so many organizations, and owns one more with each cell.
const first = 'createOrganization'
const inOrganizations = operations
  .filter(takesOrganization)
  .toSorted((one, two) => Number(two.name === first) - Number(one.name === first))
const names = inOrganizations.map(({ name }) => name)
const operationOf = (name: string) => {
  const found = inOrganizations.find((each) => each.name === name)
  if (!found) throw new Error(`There is no ${name}.`)
  return found
}

/** They show an organization to a caller who has a token, or an address at its domain. */
const offering = ['getOrganizationInvitation', 'acceptOrganizationInvitation', 'joinOrganization']
const outsiders = ['former', 'stranger', 'agent', 'machine', 'unsigned']
const marksIn = (text: string): string[] => text.match(/mark-[0-9a-f]+/g) ?? []
const rows = (org: string) => rowsOf(auth, org, ['org_notices'])

describe('every operation of the starter that takes an organization', () => {
  it('answers each caller in an organization of others so', async () => {
    const [open, closed] = [await otherOf(''), await otherOf('reopenOrganization')]
    const before = [await rows(open.named.org), await rows(closed.named.org)]
    const table = await tableOf(columns, names, async (name, as) => {
      const isOperator = as === 'superadmin' && operatorNames.includes(name)
      if (isOperator) return cellOf(await askIn(as, operationOf(name), (await otherOf(name)).named))
      const { named, mark } = isReopening(name) ? closed : open
      const answer = await askIn(as, operationOf(name), named)
      if (name !== 'getOrganizationInvitation') expect(answer.text).not.toContain(mark)
      return cellOf(answer)
    })
    // No request has changed anything there.
    expect([await rows(open.named.org), await rows(closed.named.org)]).toEqual(before)
    expect(table).toMatchInlineSnapshot(`
      "                             owner      admin      clerk      member     former     stranger   agent      machine    program    org agent  support    superadmin unsigned
      createOrganization           201        201        201        201        201        201        unsigned   refused    refused    unsigned   owners     201        unsigned
      listOrgNotices               hidden     hidden     hidden     hidden     hidden     hidden     unsigned   hidden     hidden     unsigned   hidden     hidden     unsigned
      createOrgNotice              hidden     hidden     hidden     hidden     hidden     hidden     unsigned   hidden     hidden     unsigned   hidden     hidden     unsigned
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
      getOrganizationPolicies      hidden     hidden     hidden     hidden     hidden     hidden     unsigned   hidden     hidden     unsigned   hidden     hidden     unsigned
      updateOrganizationPolicies   hidden     hidden     hidden     hidden     hidden     hidden     unsigned   hidden     hidden     unsigned   owners     hidden     unsigned
      listOrganizationAudit        hidden     hidden     hidden     hidden     hidden     hidden     unsigned   hidden     hidden     unsigned   owners     hidden     unsigned
      searchOrganizations          refused    refused    refused    refused    refused    refused    unsigned   refused    refused    unsigned   owners     200        unsigned
      readAnyOrganization          refused    refused    refused    refused    refused    refused    unsigned   refused    refused    unsigned   owners     200        unsigned
      listAnyOrganizationMembers   refused    refused    refused    refused    refused    refused    unsigned   refused    refused    unsigned   owners     200        unsigned
      closeAnyOrganization         refused    refused    refused    refused    refused    refused    unsigned   refused    refused    unsigned   owners     200        unsigned
      reopenAnyOrganization        refused    refused    refused    refused    refused    refused    unsigned   refused    refused    unsigned   owners     204        unsigned
      addAnyOrganizationOwner      refused    refused    refused    refused    refused    refused    unsigned   refused    refused    unsigned   owners     conflict   unsigned
      clearAnyOrganizationPolicies refused    refused    refused    refused    refused    refused    unsigned   refused    refused    unsigned   owners     conflict   unsigned"
    `)
  })

  it('answers each caller in an organization of theirs so', async () => {
    const table = await tableOf(columns, names, async (name, as) => {
      const { named, mark } = await ownOf(name, as)
      const answer = await askIn(as, operationOf(name), named)
      if (outsiders.includes(as) && !offering.includes(name))
        expect(answer.text).not.toContain(mark)
      if (name === 'listOrgNotices' && answer.status === 200) {
        expect(answer.text).toContain(noticeOf({ mark }))
      }
      // Others are there beside it, with notices too.
      if (isOfBoard(name)) expect(marksIn(answer.text).filter((each) => each !== mark)).toEqual([])
      return cellOf(answer)
    })
    expect(table).toMatchInlineSnapshot(`
      "                             owner      admin      clerk      member     former     stranger   agent      machine    program    org agent  support    superadmin unsigned
      createOrganization           201        201        201        201        201        201        unsigned   refused    refused    unsigned   owners     201        unsigned
      listOrgNotices               200        200        200        200        hidden     hidden     unsigned   refused    200        unsigned   200        hidden     unsigned
      createOrgNotice              201        201        refused    201        hidden     hidden     unsigned   refused    201        unsigned   owners     hidden     unsigned
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
      createOrganizationRole       400 ValidationError 400 ValidationError refused    refused    hidden     hidden     unsigned   refused    refused    unsigned   owners     hidden     unsigned
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
      getOrganizationPolicies      200        200        200        200        hidden     hidden     unsigned   refused    200        unsigned   200        hidden     unsigned
      updateOrganizationPolicies   200        refused    refused    refused    hidden     hidden     unsigned   refused    refused    unsigned   owners     hidden     unsigned
      listOrganizationAudit        200        200        refused    refused    hidden     hidden     unsigned   refused    200        unsigned   owners     hidden     unsigned
      searchOrganizations          refused    refused    refused    refused    refused    refused    unsigned   refused    refused    unsigned   owners     200        unsigned
      readAnyOrganization          refused    refused    refused    refused    refused    refused    unsigned   refused    refused    unsigned   owners     200        unsigned
      listAnyOrganizationMembers   refused    refused    refused    refused    refused    refused    unsigned   refused    refused    unsigned   owners     200        unsigned
      closeAnyOrganization         refused    refused    refused    refused    refused    refused    unsigned   refused    refused    unsigned   owners     200        unsigned
      reopenAnyOrganization        refused    refused    refused    refused    refused    refused    unsigned   refused    refused    unsigned   owners     204        unsigned
      addAnyOrganizationOwner      refused    refused    refused    refused    refused    refused    unsigned   refused    refused    unsigned   owners     conflict   unsigned
      clearAnyOrganizationPolicies refused    refused    refused    refused    refused    refused    unsigned   refused    refused    unsigned   owners     conflict   unsigned"
    `)
  })
})
