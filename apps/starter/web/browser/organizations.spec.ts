import { sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { ask } from './ask.ts'
import { newMember, newOrganization, organizationApiOf } from './organization.ts'
import { app } from './running-web-app.ts'
import { asUser, row } from './test-organizations.ts'
import { violationsOf } from './violations.ts'
import { signedInVisitor } from './visitor.ts'

describe('the pages of organizations', () => {
  it('begin empty, and lead to the first one', async () => {
    const user = await app.api.signedInUser()
    const { page, open, see, fill, click } = await signedInVisitor(user)
    await open('/orgs')
    await see('You are in no organization yet.')
    await click('Create')
    await see('A name has 1 to 100 characters.')
    await fill('Name', 'Globex')
    await click('Create')
    await page.waitForURL(/\/orgs\/globex[\w-]*\/board$/)
    await page.getByRole('heading', { level: 1, name: 'Globex', exact: true }).waitFor()
    await page.getByRole('button', { name: 'Organizations: Globex', exact: true }).waitFor()
    await page.getByText('Nothing here yet').waitFor()
  })

  it('change roles, and say why they can’t', async () => {
    const { owner, org, slug } = await newOrganization('Acme')
    const member = await newMember(owner, org)
    const { page, open, click, see } = await signedInVisitor(owner)
    await open(`/orgs/${slug}/members`)
    await click(`Manage ${member.email}`)
    await page.getByLabel('Admin', { exact: true }).check()
    await click('Save the roles')
    await see(`The roles of ${member.email} are changed.`)
    await row(page, member.email).getByText('Admin, Member').waitFor()
    await click(`Manage ${owner.email}`)
    await row(page, owner.email).getByLabel('Owner', { exact: true }).uncheck()
    await row(page, owner.email).getByLabel('Member', { exact: true }).check()
    await row(page, owner.email).getByRole('button', { name: 'Save the roles' }).click()
    await see('An organization keeps at least one owner.')

    const asAdmin = await signedInVisitor(member)
    await asAdmin.open(`/orgs/${slug}/members`)
    // An owner may do more.
    expect(await row(asAdmin.page, owner.email).getByRole('button').count()).toBe(0)
    await click(`Done ${owner.email}`)
    await row(page, member.email).getByRole('button', { name: 'Remove' }).click()
    await click('Yes, remove')
    await see(`${member.email} is no longer a member.`)
    await row(page, member.email).waitFor({ state: 'detached' })
  })

  it('are hidden from strangers and members without the permission', async () => {
    const { owner, org, slug } = await newOrganization('Acme')
    const member = await newMember(owner, org)
    const stranger = await app.api.signedInUser()
    const permitted = ['invitations', 'domains', 'machines', 'audit']
    for (const page of ['board', 'members', 'teams', 'roles', 'settings', ...permitted]) {
      const path = `/orgs/${slug}/${page}`
      const { status, location } = await ask(path)
      expect([303, 307]).toContain(status)
      expect(location).toBe(`/login?${new URLSearchParams({ returnTo: path })}`)
      expect((await ask(path, await asUser(stranger))).status).toBe(404)
      const shown = await ask(path, await asUser(member))
      expect(shown.status).toBe(permitted.includes(page) ? 404 : 200)
    }
    // A member may neither manage members nor roles.
    const asMember = await signedInVisitor(member)
    for (const page of ['members', 'teams', 'roles']) {
      await asMember.open(`/orgs/${slug}/${page}`)
      expect(await asMember.page.getByRole('main').getByRole('button').count()).toBe(0)
    }
  })

  it('say what the organization asks for, and let a member leave who does not have it', async () => {
    const { owner, org, slug } = await newOrganization('Acme')
    const member = await newMember(owner, org, { email: 'ann@elsewhere.example' })
    const [since, by] = [1, 30].map((days) => new Date(Date.now() + days * 86_400_000))
    const secondFactor = JSON.stringify({ secondFactor: { since, by } })
    await app.api.auth.db.execute(
      sql`update organizations.organizations set policies = ${secondFactor} where organization_id = ${org}`,
    )
    const { page, open, see, click } = await signedInVisitor(member)
    await open(`/orgs/${slug}/board`)
    await see('This organization asks for a second factor from ')
    expect(await page.getByRole('textbox').count()).toBe(1)

    const body = { requireSecondFactor: false, allowedDomains: ['example.com'] }
    await organizationApiOf(owner).updateOrganizationPolicies.call({ params: { org }, body })
    for (const part of ['board', 'members']) {
      await open(`/orgs/${slug}/${part}`)
      await page.getByRole('heading', { level: 1, name: 'Acme', exact: true }).waitFor()
      await see('Your account has no address of its domains.')
      expect(await page.getByText(owner.email).count()).toBe(0)
      expect(await page.getByRole('textbox').count()).toBe(0)
    }
    expect(await violationsOf(page)).toEqual([])
    await click('Leave')
    await click('Yes, leave')
    await page.waitForURL(`${app.web}/orgs`)
  })

  it('set policies, and say what the user does not meet', async () => {
    const { owner, org, slug } = await newOrganization('Acme')
    await newMember(owner, org, { email: 'bob@elsewhere.example' })
    const { page, open, see, fill, click } = await signedInVisitor(owner)
    await open(`/orgs/${slug}/settings`)
    await page.getByLabel('Ask for a second factor', { exact: true }).check()
    await fill('Hours that a device may be unused', 'twelve')
    await click('Save the policies')
    await see('Enter a number from 1 to 2,160.')
    await fill('Hours that a device may be unused', '12')
    await click('Save the policies')
    await see('Nothing was saved, because you don’t meet this yourself.')
    const way = page.getByRole('main').getByRole('link', { name: 'Set up', exact: true })
    expect(await way.getAttribute('href')).toBe('/account/security')
    await page.getByLabel('Ask for a second factor', { exact: true }).uncheck()
    await page.getByLabel('Password', { exact: true }).check()
    await fill('Domains of email addresses', 'example.com')
    await see('These members have another address: bob@elsewhere.example.')
    await click('Save the policies')
    await see('The policies are saved.')
    const read = organizationApiOf(owner).getOrganizationPolicies
    expect(await read.call({ params: { org } })).toEqual({
      requireSecondFactor: false,
      waysIn: ['password'],
      maxIdleHours: 12,
      allowedDomains: ['example.com'],
    })

    await open(`/orgs/${slug}/audit`)
    await row(page, 'Policies changed').getByText('by').first().waitFor()
    await row(page, 'Policies changed').getByText('Details').click()
    await see('waysIn: password')
    await page.getByLabel('What', { exact: true }).selectOption('Member added')
    await click('Search')
    await page.waitForURL(`${app.web}/orgs/${slug}/audit?act=organization.member_added`)
    await row(page, 'Member added').getByRole('link', { name: 'bob@elsewhere.example' }).click()
    await see('Only what bob@elsewhere.example did.')
    expect(await page.getByRole('list', { name: 'Acts' }).getByRole('listitem').count()).toBe(1)
    await open(`/orgs/${slug}/audit?act=organization.closed`)
    await see('The trail has nothing like that.')
    await open(`/orgs/${slug}/audit?actor=bob`)
    expect(page.url()).toBe(`${app.web}/orgs/${slug}/audit`)
  })
})
