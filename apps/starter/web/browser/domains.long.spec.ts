import { randomUUID } from 'node:crypto'
import type { TestUser } from '@svc/auth/testing'
import { sql } from 'drizzle-orm'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { ask, cookiesOf } from './ask.ts'
import { enrolledVisitor } from './enrolled-visitor.ts'
import { newMember, newOrganization, organizationApiOf } from './organization.ts'
import { app } from './running-web-app.ts'
import { violationsOf } from './violations.ts'
import { signedInVisitor } from './visitor.ts'

const { db } = app.api.auth
const { answers } = app.dns
const newDomain = () => `d${randomUUID().slice(0, 8)}.example`
const row = (page: Page, text: string) => page.getByRole('listitem').filter({ hasText: text })

/** A domain that waits for its record. */
async function added(owner: TestUser, org: string, domain = newDomain()) {
  const { addOrganizationDomain } = organizationApiOf(owner)
  const { record } = await addOrganizationDomain.call({ params: { org }, body: { domain } })
  return { domain, record }
}

/** An organization that has proved a domain. */
async function proved() {
  const made = await newOrganization('Acme')
  const { domain, record } = await added(made.owner, made.org)
  answers.set(record.name, [record.value])
  const params = { org: made.org, domain }
  await organizationApiOf(made.owner).verifyOrganizationDomain.call({ params })
  return { ...made, domain, record }
}

// Axe does not take a digit for the face of a user.
const newEmail = (domain: string) => `ada-${randomUUID()}@${domain}`
const atDomain = (domain: string) => app.api.signedInUser({ email: newEmail(domain) })

describe('the pages of domains', () => {
  it('let a user with an address at a domain join and come back, until the domain is removed', async () => {
    const { owner, slug, domain } = await proved()
    const stranger = await signedInVisitor(await atDomain(`sub.${domain}`))
    await stranger.open('/orgs')
    await stranger.see('A new organization')
    expect(await stranger.page.getByText('You may join').count()).toBe(0)

    const { page, open, click, see } = await signedInVisitor(await atDomain(domain))
    for (const time of ['first', 'again']) {
      await open('/orgs')
      await see('You may join')
      await see(`You have an address at ${domain}. Members will see it.`)
      if (time === 'first') expect(await violationsOf(page)).toEqual([])
      await click('Join Acme')
      await page.waitForURL(`${app.web}/orgs/${slug}/board`)
      await open('/orgs')
      await page.getByRole('link', { name: 'Open Acme', exact: true }).waitFor()
      expect(await page.getByText('You may join').count()).toBe(0)
      await open(`/orgs/${slug}/settings`)
      await click('Leave')
      await see('You need an invitation to come back, unless you may join by a domain.')
      await click('Yes, leave')
      await page.waitForURL(`${app.web}/orgs`)
    }
    await see('You may join')

    const asOwner = await signedInVisitor(owner)
    await asOwner.open(`/orgs/${slug}/domains`)
    await asOwner.click(`Remove the domain ${domain}`)
    await asOwner.see(`Remove ${domain}? No one can join by it any more.`)
    await asOwner.click('Yes, remove the domain')
    await asOwner.see('There is no domain yet.')
    // The page was open while the domain was removed.
    await click('Join Acme')
    await see('You may no longer join this organization.')
    await page.getByRole('button', { name: 'Join Acme' }).waitFor({ state: 'detached' })
    await see('You may no longer join this organization.')
  })

  it('of the user are listed also where those that they may join can’t be read', async () => {
    const { domain } = await proved()
    const { page, open, see } = await signedInVisitor(await atDomain(domain))
    await db.transaction(async (tx) => {
      await tx.execute(sql`lock table organizations.domains in access exclusive mode`)
      const answer = await open('/orgs')
      expect(answer?.status()).toBe(200)
      await see('You are in no organization yet.')
      expect(await page.getByText('You may join').count()).toBe(0)
    })
    await open('/orgs')
    await see('You may join')
  })

  it('offer only what the roles of the member permit', async () => {
    const { owner, org, slug, domain } = await proved()
    const member = await newMember(owner, org)
    const api = organizationApiOf(owner)
    const body = { name: 'keeper', displayName: 'Keeper', permissions: ['domain:manage'] }
    await api.createOrganizationRole.call({ params: { org }, body })
    const params = { org, userId: member.userId }
    await api.setMemberRoles.call({ params, body: { roles: ['keeper'] } })
    const { page, open, click, see } = await signedInVisitor(member)
    await open(`/orgs/${slug}/domains`)
    // Its people get a role that permits more.
    await row(page, domain).getByText('Proved', { exact: true }).waitFor()
    expect(
      await row(page, domain)
        .getByRole('button', { name: /Check|Remove/ })
        .count(),
    ).toBe(0)
    const boxes = page.getByRole('group', { name: 'Roles of those who join' })
    await boxes.getByLabel('Keeper', { exact: true }).check()
    expect(await boxes.getByRole('checkbox').count()).toBe(1)
    const another = newDomain()
    await page.getByLabel('Domain', { exact: true }).fill(another)
    await click('Add the domain')
    await see(`${another} is added.`)
    await row(page, another)
      .getByRole('button', { name: `Check now ${another}` })
      .waitFor()
  })

  it('ask for a fresh proof before a domain is added', async () => {
    const visitor = await enrolledVisitor()
    const { org, slug } = await newOrganization('Acme')
    await db.execute(
      sql`insert into organizations.members (organization_id, user_id, roles, joined_at)
        values (${org}::uuid, ${visitor.user.userId}::uuid, array['owner'], now())`,
    )
    const domain = newDomain()
    await visitor.open(`/orgs/${slug}/domains`)
    await visitor.fill('Domain', domain)
    await visitor.click('Add the domain')
    const dialog = visitor.page.getByRole('dialog', { name: 'Confirm that it is you' })
    await dialog.getByLabel('Code', { exact: true }).fill(visitor.user.phone.nextCode())
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await visitor.see(`${domain} is added.`)
  })

  it('are rendered by the server, and fit on a phone', async () => {
    const { owner, org, slug } = await newOrganization('Acme')
    const long = `${'a-long-name-'.repeat(4)}${newDomain()}`
    const { record } = await added(owner, org, long)
    const { body } = await ask(`/orgs/${slug}/domains`, { cookie: await cookiesOf(owner) })
    for (const text of ['TXT', record.name, record.value]) {
      expect(body).toContain(`<code>${text}</code>`)
    }

    const { page, open } = await signedInVisitor(owner)
    await open(`/orgs/${slug}/domains`)
    for (const width of [375, 1280]) {
      await page.setViewportSize({ width, height: 800 })
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      )
      expect({ width, overflow }).toEqual({ width, overflow: 0 })
    }
  })
})
