import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { newOrganization, organizationApiOf } from './organization.ts'
import { app } from './running-web-app.ts'
import { violationsOf } from './violations.ts'
import { signedInVisitor } from './visitor.ts'

const { db } = app.api.auth
const { answers, asked } = app.dns
const newDomain = () => `d${randomUUID().slice(0, 8)}.example`
const row = (page: Page, text: string) => page.getByRole('listitem').filter({ hasText: text })

// Axe does not take a digit for the face of a user.
const newEmail = (domain: string) => `ada-${randomUUID()}@${domain}`
const atDomain = (domain: string) => app.api.signedInUser({ email: newEmail(domain) })

describe('the pages of domains', () => {
  it('add a domain, say which record is missing, and prove it', async () => {
    const { owner, org, slug } = await newOrganization('Acme', await atDomain('example.com'))
    const { page, context, open, fill, click, see } = await signedInVisitor(owner)
    await open(`/orgs/${slug}/domains`)
    await see('There is no domain yet.')
    // A domain can't make owners.
    expect(await page.getByLabel('Owner', { exact: true }).count()).toBe(0)
    for (const refused of ['', 'acme', 'gmail.com']) {
      await fill('Domain', refused)
      await click('Add the domain')
      await see('Enter a domain of your own, such as acme.example, and choose a role.')
    }
    const domain = newDomain()
    await fill('Domain', ` ${domain.toUpperCase()} `)
    await page.getByLabel('Admin', { exact: true }).check()
    await click('Add the domain')
    await row(page, domain).getByText('Waiting for the record').waitFor()
    await row(page, domain).getByText('Admin, Member · added').waitFor()
    await fill('Domain', domain)
    await click('Add the domain')
    await see('The organization has this domain already.')

    const { listOrganizationDomains } = organizationApiOf(owner)
    const [stored] = (await listOrganizationDomains.call({ params: { org } })).domains
    const { name, value } = stored?.record ?? { name: '', value: '' }
    expect(name).toBe(`_svc-challenge.${domain}`)
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const facts = { Type: 'TXT', Name: name, Value: value }
    for (const [fact, text] of Object.entries(facts)) {
      await click(`Copy ${fact}: ${domain}`)
      await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(text)
    }

    const failures = [
      { answer: undefined, told: `There is no TXT record at ${name} yet. It can take an hour` },
      { answer: ['v=spf1 -all'], told: `No TXT record at ${name} has the value of this domain.` },
      { answer: 'SERVFAIL', told: `The name servers of ${name} don’t answer.` },
    ] as const
    for (const { answer, told } of failures) {
      if (answer) answers.set(name, answer)
      await click(`Check now ${domain}`)
      await row(page, domain).getByText(told).waitFor()
    }
    expect(asked).toContain(name)
    expect(await violationsOf(page)).toEqual([])
    answers.set(name, ['v=spf1 -all', value])
    await click(`Check now ${domain}`)
    await row(page, domain).getByText('Proved', { exact: true }).waitFor()
    await row(page, domain).getByText('Proved since').waitFor()

    await db.execute(
      sql`update organizations.domains set failing_since = now() where domain = ${domain}`,
    )
    await open(`/orgs/${slug}/domains`)
    await row(page, domain).getByText('Record missing', { exact: true }).waitFor()
    await row(page, domain).getByText('The proof ends on').waitFor()
  })
})
