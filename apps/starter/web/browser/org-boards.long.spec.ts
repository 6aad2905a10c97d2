import { describe, expect, it } from 'vitest'
import { invitedBy, newOrganization, organizationApiOf } from './organization.ts'
import { app } from './running-web-app.ts'
import { signedInVisitor } from './visitor.ts'

describe('an invitation into an organization', () => {
  it('says which account does not fit, and changes nothing', async () => {
    const { owner, org } = await newOrganization('Acme')
    const link = await invitedBy(owner, org, 'ada@example.net')
    const wrong = await app.api.signedInUser()
    const { page, open, click, see } = await signedInVisitor(wrong)
    await open(link)
    await click('Join')
    await see('This invitation does not work')
    await see(wrong.email)
    const { organizations } = await organizationApiOf(wrong).listOrganizations.call()
    expect(organizations).toEqual([])
    await click('Use another account')
    await see('Sign in to accept the invitation')
    expect(page.url()).toBe(`${app.web}${link}`)
  })
})
