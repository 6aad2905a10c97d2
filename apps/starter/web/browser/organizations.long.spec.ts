import { createTestKey } from '@svc/auth/testing'
import { sql } from 'drizzle-orm'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ask } from './ask.ts'
import { newMember, newOrganization, organizationApiOf } from './organization.ts'
import { app } from './running-web-app.ts'
import { asUser, row } from './test-organizations.ts'
import { violationsOf } from './violations.ts'
import { signedInVisitor } from './visitor.ts'
import { whenLoaded } from './when-loaded.ts'

describe('the pages of organizations', () => {
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

  it('make a service account, give it a key, replace the key, and delete the account', async () => {
    // Axe does not take a digit for the face of a user.
    const user = await app.api.signedInUser({ email: 'mallory@example.com' })
    const { owner, org, slug } = await newOrganization('Acme', user)
    const { page, open, see, fill, click } = await signedInVisitor(owner)
    await open(`/orgs/${slug}/machines`)
    await see('No program works for it yet.')
    await fill('Name', 'Nightly report')
    await click('Create the account')
    await see('A name has 1 to 100 characters. Choose a role too.')
    await page.getByLabel('Member', { exact: true }).check()
    await click('Create the account')
    const account = row(page, 'Nightly report').first()
    await account.getByText('Member · keys: 0').waitFor()
    await account.getByText(`by ${owner.email}`).waitFor()

    await click('Manage Nightly report')
    const paste = async (name: string) => {
      const { registration } = await createTestKey()
      await fill('Registration', JSON.stringify({ ...registration, deviceName: name }))
    }
    await fill('Registration', '{"privateKey":"…"}')
    await click('Add the key')
    await see('This is the private half of the key')
    await paste('First')
    await click('Add the key')
    await see('Copy these into the settings of the program:')
    await account.getByText(org).waitFor()
    await click('Replace First')
    await paste('Second')
    await click('Replace the key')
    await page.getByRole('button', { name: 'Revoke Second' }).waitFor()
    await page.getByRole('button', { name: 'Revoke First' }).waitFor({ state: 'detached' })
    expect(await violationsOf(page)).toEqual([])
    // The second of its two calls fails.
    const ending = '**/api/rpc/revokeServiceKey*'
    await page.route(ending, (route) => route.abort())
    await click('Replace Second')
    await paste('Third')
    await click('Replace the key')
    await see('The key Second has not ended. While it is in the list, it works: revoke it.')
    await page.getByRole('button', { name: 'Revoke Third' }).waitFor()
    await page.unroute(ending)
    await click('Revoke Third')
    await click('Yes, revoke it')
    await account.getByText('Member · keys: 1').waitFor()
    await click('Revoke Second')
    await click('Yes, revoke it')
    await account.getByText('Member · keys: 0').waitFor()
    await click('Delete the account')
    await click('Yes, delete the account')
    await see('No program works for it yet.')
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
    const lists = ['members', 'teams', 'invitations', 'domains', 'roles', 'machines', 'audit']
    const parts = ['board', ...lists, 'settings']
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
