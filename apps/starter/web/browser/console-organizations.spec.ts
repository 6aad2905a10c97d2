import { describe, expect, it } from 'vitest'
import { openConsole, operator } from './console-operator.ts'
import { newMember, newOrganization, organizationApiOf } from './organization.ts'
import { app } from './running-web-app.ts'

const asOperator = organizationApiOf(operator)

const stateOf = async (organizationId: string) =>
  (await asOperator.readAnyOrganization.call({ params: { organizationId } })).state

describe('the organizations of the console, on a phone', () => {
  it('are helped for a reason, which the trail has, and say if another operator was faster', async () => {
    const { owner, org, name } = await newOrganization('Wonka')
    const params = { org }
    await organizationApiOf(owner).updateOrganizationPolicies.call({
      params,
      body: { maxIdleHours: 8 },
    })
    const member = await newMember(owner, org)
    const { page, open, click, fill, see } = await openConsole()
    await open(`/admin/organizations/${org}`)
    await see('8 hours')
    await click('End all policies')
    await fill('Reason', 'The owner is on a long journey')
    await click('Yes, end them')
    await see(`${name} has no policies now.`)
    await see('This organization asks nothing of its members.')

    await click(`Make an owner ${member.email}`)
    await fill('Reason', 'The owner does not answer')
    await click('Yes, make an owner')
    await see(`${member.email} is an owner now.`)
    await page.getByRole('button', { name: 'Make an owner' }).waitFor({ state: 'detached' })

    await click('Close the organization')
    await click('Yes, close it')
    await see('Say why you do this.')
    expect(await stateOf(org)).toBe('open')
    await fill('Reason', 'They sell stolen cards')
    await click('Yes, close it')
    await see(`${name} is closed. You can open it again until it is deleted.`)
    expect(await stateOf(org)).toBe('closed')

    await click('Open it again')
    await fill('Reason', 'It was another one')
    await asOperator.reopenAnyOrganization.call({
      params: { organizationId: org },
      body: { reason: 'Faster' },
    })
    await click('Yes, open it')
    await see('Nothing was done: the organization or the member has changed meanwhile')
    await page.getByRole('button', { name: 'Close the organization' }).waitFor()
    const query = { target: org }
    const { body } = await app.api.call('listAuditEvents', undefined, operator.key, { query })
    expect(body.data.slice(0, 3)).toMatchObject([
      { act: 'organization.reopened', details: { reason: 'Faster' } },
      { act: 'organization.closed', details: { reason: 'They sell stolen cards' } },
      {
        act: 'organization.policies_updated',
        details: { reason: 'The owner is on a long journey' },
      },
    ])
  })
})
