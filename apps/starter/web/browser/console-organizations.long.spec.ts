import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openConsole, operator, operatorWith } from './console-operator.ts'
import { signedInLongAgo } from './enrolled-visitor.ts'
import { newOrganization, organizationApiOf } from './organization.ts'
import { app } from './running-web-app.ts'
import { violationsOf } from './violations.ts'

const asOperator = organizationApiOf(operator)

/** Neither an axe rule is broken, nor is the page wider than its window. */
async function isFine(page: Page) {
  const { scrollWidth, clientWidth } = await page.evaluate(() => document.documentElement)
  expect(scrollWidth).toBe(clientWidth)
  expect(await violationsOf(page)).toEqual([])
}

const stateOf = async (organizationId: string) =>
  (await asOperator.readAnyOrganization.call({ params: { organizationId } })).state

describe('the organizations of the console, on a phone', () => {
  it('are found by the beginning of a name, and lead to members, and these back to them', async () => {
    const name = `Umbrella${'umbrella'.repeat(4)}`
    const { owner, org, slug } = await newOrganization(name)
    const { page, open, fill, click, see } = await openConsole()
    await open('/admin/organizations')
    await fill('Begins with', 'UMBRELLA')
    await click('Search')
    await page.waitForURL(/text=UMBRELLA/)
    await see(slug)
    await isFine(page)
    await page.getByRole('link', { name, exact: true }).click()
    await page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
    await isFine(page)
    await page.getByRole('link', { name: owner.email, exact: true }).first().click()
    await page.getByRole('heading', { level: 1, name: owner.email, exact: true }).waitFor()
    await page.getByRole('link', { name, exact: true }).click()
    await page.waitForURL(new RegExp(`/admin/organizations/${org}$`))

    await app.api.call('updateLocale', { locale: 'ko' }, operator.key)
    onTestFinished(async () => {
      await app.api.call('updateLocale', { locale: 'en' }, operator.key)
    })
    await page.reload()
    await see('이 조직 돕기')
    await page.getByRole('link', { name: '조직', exact: true }).waitFor()
  })

  it('ask an operator who signed in long ago for a proof', async () => {
    const { org, name } = await newOrganization('Cyberdyne')
    const root = await app.api.createUser({ role: 'superadmin' })
    const { page, open, click, fill, see } = await signedInLongAgo(root)
    await open(`/admin/organizations/${org}`)
    await click('Close the organization')
    await fill('Reason', 'Machines')
    await click('Yes, close it')
    const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' })
    await dialog.getByLabel('Your password', { exact: true }).fill(root.password)
    expect(await stateOf(org)).toBe('open')
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await see(`${name} is closed.`)
  })

  it('have no buttons for an operator who may only look, who sees ids in place of addresses', async () => {
    const { owner, org } = await newOrganization('Initech')
    const { page, open, see } = await operatorWith(['organization:read'])
    await open('/admin')
    await page.waitForURL(/\/admin\/organizations$/)
    await open(`/admin/organizations/${org}`)
    await see(owner.userId)
    expect(await page.getByText(owner.email).count()).toBe(0)
    expect(await page.locator('main').getByRole('button').count()).toBe(0)
    for (const unknown of [randomUUID(), 'no-id', `${org}/more`]) {
      expect((await open(`/admin/organizations/${unknown}`))?.status()).toBe(404)
    }
    await open(`/admin/organizations?after=nothing`)
    await page.waitForURL(/\/admin\/organizations$/)
  })
})
