import axe from 'axe-core'
import { sql } from 'drizzle-orm'
import type { Page } from 'playwright-core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ask, cookiesOf } from './ask.ts'
import { newMember, newOrganization, organizationApiOf } from './organization.ts'
import { app } from './running-web-app.ts'
import { signedInVisitor } from './visitor.ts'
import { whenLoaded } from './when-loaded.ts'

/** What axe finds wrong on a page. */
async function violationsOf(page: Page) {
  await page.evaluate(axe.source)
  return page.evaluate(async () => {
    // @ts-expect-error -- the script above has set it
    const { violations } = await window.axe.run()
    return violations.flatMap(({ id, nodes }: { id: string; nodes: { html: string }[] }) =>
      nodes.map(({ html }) => `${id}: ${html}`),
    )
  })
}

const row = (page: Page, text: string) => page.getByRole('listitem').filter({ hasText: text })

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

  it('make, change and delete a role', async () => {
    const { owner, slug } = await newOrganization('Acme')
    const { page, open, fill, click, see } = await signedInVisitor(owner)
    await open(`/orgs/${slug}/roles`)
    await fill('Display name', 'Accountant')
    await fill('Name', 'Account ant')
    await click('Create the role')
    await see('A name has 2 to 40 of a–z')
    await fill('Name', 'admin')
    await click('Create the role')
    await see('A role has this name already.')
    await fill('Name', 'accountant')
    await page.getByLabel('Invite members member:invite', { exact: true }).check()
    await click('Create the role')
    await see('The role Accountant is created.')
    await row(page, 'Accountant').getByText('Invite members').waitFor()
    await click('Manage Accountant')
    const editor = row(page, 'Accountant')
    await editor.getByLabel('Invite members member:invite', { exact: true }).uncheck()
    await editor.getByRole('button', { name: 'Save', exact: true }).click()
    await see('The role Accountant is changed.')
    await row(page, 'Accountant').getByText('Only what every member may do.').waitFor()
    await click('Manage Accountant')
    await click('Delete the role')
    await click('Yes, delete it')
    await row(page, 'Accountant').waitFor({ state: 'detached' })
  })

  it('make a team, put a member into it, and take its roles', async () => {
    const { owner, org, slug } = await newOrganization('Acme')
    const member = await newMember(owner, org)
    const { page, open, fill, click, see } = await signedInVisitor(owner)
    await open(`/orgs/${slug}/teams`)
    await see('There is no team yet.')
    await click('Create the team')
    await see('A name has 1 to 100 characters.')
    await fill('Name', 'Sales')
    await page.getByLabel('Admin', { exact: true }).check()
    // A team can't be an owner.
    expect(await page.getByLabel('Owner', { exact: true }).count()).toBe(0)
    await click('Create the team')
    await see('The team Sales is created.')
    await row(page, 'Sales').getByText('Admin').waitFor()

    await open(`/orgs/${slug}/members`)
    await click(`Manage ${member.email}`)
    await click('Add to the team')
    await see(`${member.email} is in the team Sales now.`)
    await click('Add to the team')
    await see('This member is in the team already.')

    const asMember = await signedInVisitor(member)
    await asMember.open(`/orgs/${slug}/teams`)
    await asMember.page.getByRole('link', { name: 'Open Sales' }).click()
    await asMember.page.getByRole('heading', { level: 1, name: 'Sales', exact: true }).waitFor()
    // The team has made an admin of the member.
    await asMember.click('Delete the team')
    await asMember.click('Cancel')
    await asMember.click(`Manage ${member.email}`)
    await row(asMember.page, member.email).getByLabel('Member', { exact: true }).check()
    await asMember.click('Save the roles')
    await row(asMember.page, member.email).getByText('Member in this team').waitFor()
    await asMember.click('Leave')
    await asMember.click('Yes, leave')
    await asMember.see('No member is in this team yet.')
    await asMember.page
      .getByRole('button', { name: 'Delete the team' })
      .waitFor({ state: 'detached' })
    expect(await asMember.page.getByRole('main').getByRole('button').count()).toBe(0)

    await open(`/orgs/${slug}/teams`)
    await page.getByRole('link', { name: 'Open Sales' }).click()
    await click('Delete the team')
    await click('Yes, delete it')
    await page.waitForURL(`${app.web}/orgs/${slug}/teams`)
    await see('There is no team yet.')
    expect((await ask(`/orgs/${slug}/teams/${org}`, await asUser(owner))).status).toBe(404)
  })

  it('rename, hand over, leave, close and open again', async () => {
    const taken = await newOrganization('Taken')
    const { owner, org, slug } = await newOrganization('Acme')
    const heir = await newMember(owner, org)
    const { page, open, fill, click, see } = await signedInVisitor(owner)
    await open(`/orgs/${slug}/settings`)
    await fill('Address', taken.slug)
    await click('Save')
    await see('This address is taken. Choose another one.')
    await fill('Address', `${slug}-new`)
    await fill('Name', 'Acme and Sons')
    await click('Save')
    await page.waitForURL(`${app.web}/orgs/${slug}-new/settings`)
    await page.getByRole('button', { name: 'Organizations: Acme and Sons', exact: true }).waitFor()
    await click('Leave')
    await click('Yes, leave')
    await see('An organization keeps at least one owner.')

    await page.getByRole('main').getByRole('link', { name: 'Choose a member' }).click()
    await page.getByRole('heading', { level: 1, name: 'Members' }).waitFor()
    await click(`Manage ${heir.email}`)
    await click('Make the owner')
    await click('Yes, hand it over')
    await see(`${heir.email} is the owner now.`)

    const next = await signedInVisitor(heir)
    await next.open(`/orgs/${slug}-new/settings`)
    await next.click('Close')
    await next.click('Yes, close it')
    await next.page.waitForURL(`${app.web}/orgs`)
    await next.see('Closed. It is deleted on ')
    expect((await ask(`/orgs/${slug}-new/members`, await asUser(owner))).status).toBe(404)
    await next.click('Open again Acme and Sons')
    await next.click('Yes, open it')
    await next.see('Acme and Sons is open again.')
    await open(`/orgs/${slug}-new/settings`)
    await click('Leave')
    await click('Yes, leave')
    await page.waitForURL(`${app.web}/orgs`)
    await see('You are in no organization yet.')
  })

  it('go on where a page of members ends', async () => {
    const { owner, org, slug } = await newOrganization('Acme')
    const members = await Promise.all(Array.from({ length: 20 }, () => app.api.createUser()))
    const rows = members.map(
      ({ userId }) => sql`(${org}::uuid, ${userId}::uuid, array['member'], now())`,
    )
    await app.api.auth.db.execute(
      sql`insert into organizations.members (organization_id, user_id, roles, joined_at) values ${sql.join(rows, sql`, `)}`,
    )
    const { page, open } = await signedInVisitor(owner)
    await open(`/orgs/${slug}/members`)
    const items = page.getByRole('main').locator('ul.svc-sheet > li')
    expect(await items.count()).toBe(20)
    await page.getByRole('link', { name: 'Next page →' }).click()
    await page.getByRole('link', { name: '← First page' }).waitFor()
    expect(await items.count()).toBe(1)
    const shown = await items.first().textContent()
    expect(members.some(({ email }) => shown?.includes(email))).toBe(true)
    await open(`/orgs/${slug}/members?after=made-up`)
    expect(page.url()).toBe(`${app.web}/orgs/${slug}/members`)
  })

  it('are hidden from strangers and members without the permission', async () => {
    const { owner, org, slug } = await newOrganization('Acme')
    const member = await newMember(owner, org)
    const stranger = await app.api.signedInUser()
    for (const page of ['board', 'members', 'teams', 'invitations', 'roles', 'settings']) {
      const path = `/orgs/${slug}/${page}`
      const { status, location } = await ask(path)
      expect([303, 307]).toContain(status)
      expect(location).toBe(`/login?${new URLSearchParams({ returnTo: path })}`)
      expect((await ask(path, await asUser(stranger))).status).toBe(404)
      const shown = await ask(path, await asUser(member))
      expect(shown.status).toBe(page === 'invitations' ? 404 : 200)
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

  it('are accessible, and fit on a phone', async () => {
    // A digit for the face of a user is no name to axe, and random addresses begin with one.
    const user = await app.api.signedInUser({ email: 'olivia@example.com' })
    const { owner, org, slug } = await newOrganization('Acme', user)
    const { email } = await newMember(owner, org)
    const api = organizationApiOf(owner)
    const body = { email: `a-person-with-a-long-address@${'x'.repeat(40)}.example.com` }
    await api.inviteToOrganization.call({ params: { org }, body })
    const { page, open, click } = await signedInVisitor(owner)
    const parts = ['board', 'members', 'teams', 'invitations', 'roles', 'settings']
    const paths = ['/orgs', ...parts.map((part) => `/orgs/${slug}/${part}`)]
    for (const path of [...paths, '/invitation/organization', '/invitation/organization?token=x']) {
      await open(path)
      if (path.endsWith('/members')) await click(`Manage ${email}`)
      expect(await violationsOf(page), path).toEqual([])
      for (const width of [390, 1280]) {
        await page.setViewportSize({ width, height: 800 })
        const overflow = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        )
        expect({ path, width, overflow }).toEqual({ path, width, overflow: 0 })
      }
    }
    await page.getByRole('button', { name: 'Organizations' }).click()
    expect(await violationsOf(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: 'All organizations' }).waitFor({ state: 'hidden' })
  })

  it('are in Korean where the account is', async () => {
    const { owner, slug } = await newOrganization('Acme')
    const visitor = await signedInVisitor(owner)
    const context = await app.browser.newContext({ locale: 'ko-KR' })
    onTestFinished(() => context.close())
    await context.addCookies(await visitor.context.cookies())
    await app.api.call('updateLocale', { locale: 'ko' }, owner.key)
    const page = await context.newPage()
    await page.goto(`${app.web}/orgs/${slug}/roles`)
    await whenLoaded(page)
    await page.getByRole('heading', { level: 1, name: '역할', exact: true }).waitFor()
    await row(page, '소유자').getByText('조직의 모든 일을 할 수 있습니다.').waitFor()
    await page.getByRole('button', { name: '조직: Acme', exact: true }).waitFor()
  })
})

const asUser = async (user: Parameters<typeof cookiesOf>[0]) => ({ cookie: await cookiesOf(user) })
