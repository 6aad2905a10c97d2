import type { Locator } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { passkeysPage, passkeyVisitor, visitorWith } from './passkey-visitor.ts'
import { finish, secondStep, settings, waitingVisitor } from './test-second-factor.ts'
import { newVisitor, type Visitor } from './visitor.ts'
import { whenLoaded } from './when-loaded.ts'

const expectFocus = (what: Locator) =>
  expect.poll(() => what.evaluate((node) => node === document.activeElement)).toBe(true)

describe('a sign-in on a new browser', () => {
  it('takes each recovery code once, in place of a phone', async () => {
    const first = await waitingVisitor()
    const { recoveryCodes } = first.user
    const giveCode = async ({ page, fill, click }: Visitor, code = '') => {
      await page.getByRole('button', { name: 'Use a recovery code' }).click()
      await fill('Recovery code', code)
      await click('Sign in')
    }
    await giveCode(first, recoveryCodes[0]?.toUpperCase().replace('-', ' '))
    await first.page.waitForURL(`${first.web}/account`)

    const second = await newVisitor()
    await second.signIn(first.user, '/login?returnTo=%2Faccount')
    await second.page.waitForURL(secondStep(second))
    await giveCode(second, recoveryCodes[0])
    await second.see('That was wrong.')
    await second.fill('Recovery code', recoveryCodes[1] ?? '')
    await second.click('Sign in')
    await second.page.waitForURL(`${second.web}/account`)
    await second.open(settings)
    await second.see('8 are left.')
  })

  it('takes a passkey that is marked as a second step (A-239, A-245)', async () => {
    const owner = await passkeyVisitor('My phone')
    await owner.page.getByRole('button', { name: 'Use as a second step' }).click()
    await owner.see('My phone is now a second step.')
    await owner.open(settings)
    await owner.see('Your second step is a passkey.')

    const visitor = await visitorWith(await owner.authenticator.credentials())
    await visitor.signIn(owner.user, '/login?returnTo=%2Faccount')
    await visitor.page.waitForURL(secondStep(visitor))
    await visitor.click('Use a passkey')
    await visitor.page.waitForURL(`${visitor.web}/account`)
    await visitor.open(passkeysPage)
    await visitor.see('Second step')
  })

  it('asks for a passkey first where it is the second step, and for a code where there is none', async () => {
    const owner = await passkeyVisitor('My phone')
    await owner.page.getByRole('button', { name: 'Use as a second step' }).click()
    await owner.see('My phone is now a second step.')
    const visitor = await visitorWith([])
    await visitor.signIn(owner.user, '/login?returnTo=%2Faccount')
    await visitor.page.waitForURL(secondStep(visitor))
    await expectFocus(visitor.page.getByRole('button', { name: 'Use a passkey' }))
    const other = await waitingVisitor()
    await expectFocus(other.page.getByLabel('Code', { exact: true }))
  })

  it('that was finished in another tab leads on to where it went', async () => {
    const visitor = await waitingVisitor()
    const tab = await visitor.context.newPage()
    await tab.goto(visitor.page.url())
    await whenLoaded(tab)
    await finish(visitor, visitor.user.phone.nextCode())
    await tab.getByLabel('Code', { exact: true }).fill(visitor.user.phone.nextCode())
    await tab.getByRole('button', { name: 'Sign in', exact: true }).click()
    await tab.getByText('Your sign-in has expired').waitFor()
    await tab.getByRole('link', { name: 'continue' }).click()
    await tab.waitForURL(`${visitor.web}/account`)
  })

  it('is not to be finished where none waits: the page says so, and leads back', async () => {
    const { page, web, open, see } = await newVisitor()
    await open('/auth/mfa?returnTo=%2Faccount')
    await see('Your sign-in has expired')
    await page.getByRole('link', { name: 'Sign in again' }).click()
    await page.waitForURL(`${web}/login?returnTo=%2Faccount`)
  })
})
