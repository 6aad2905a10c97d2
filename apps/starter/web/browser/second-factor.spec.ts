import { readFile } from 'node:fs/promises'
import type { Locator } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { authenticatorApp } from '../../../../scripts/browser/authenticator-app.ts'
import { enrolledUser } from './enrolled-visitor.ts'
import { linkSentBy } from './mail.ts'
import { accountPages } from './pages.ts'
import { passkeysPage, passkeyVisitor, visitorWith } from './passkey-visitor.ts'
import { app } from './running-web-app.ts'
import { newVisitor, signedInVisitor, type Visitor } from './visitor.ts'
import { whenLoaded } from './when-loaded.ts'

const settings = '/account/security/two-step'

/** A user with a second factor, in a browser where they have entered their password. */
async function waitingVisitor() {
  const user = await enrolledUser()
  const visitor = await newVisitor()
  await visitor.signIn(user, '/login?returnTo=%2Faccount')
  await visitor.page.waitForURL(secondStep(visitor))
  return { ...visitor, user }
}

const secondStep = ({ web }: Pick<Visitor, 'web'>) => `${web}/auth/mfa?returnTo=%2Faccount`

const expectFocus = (what: Locator) =>
  expect.poll(() => what.evaluate((node) => node === document.activeElement)).toBe(true)

async function finish({ fill, click, page, web }: Visitor, code: string) {
  await fill('Code', code)
  await click('Sign in')
  await page.waitForURL(`${web}/account`)
}

describe('an authenticator app', () => {
  it('is set up with a QR code or a key, and confirmed by a code of it; recovery codes are shown once (A-236, A-237)', async () => {
    const visitor = await signedInVisitor(await app.api.createUser())
    const { page, open, fill, click, see, context } = visitor
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const clipboard = () => page.evaluate(() => navigator.clipboard.readText())
    await open(settings)
    await click('Set up an authenticator app')
    await page.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor()
    await click('Copy the key')
    await see('Copied.')
    const secret = await clipboard()
    await see(secret.replace(/.{4}(?=.)/g, '$& '))
    const phone = authenticatorApp(secret, app.api.clock)
    await fill('Code', phone.wrongCode())
    await click('Turn it on')
    await see('This code is wrong.')
    await fill('Code', phone.nextCode())
    await click('Turn it on')

    const list = page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')
    await list.first().waitFor()
    const codes = await list.allTextContents()
    expect(codes).toHaveLength(10)
    await click('Copy')
    await expect.poll(clipboard).toBe(codes.join('\n'))
    const downloading = page.waitForEvent('download')
    await click('Download')
    const download = await downloading
    expect(download.suggestedFilename()).toMatch(/^recovery-codes-localhost-\d+\.txt$/)
    expect(await readFile(await download.path(), 'utf8')).toContain(codes.join('\n'))

    await click('I have saved them')
    await see('10 are left.')
    expect(await page.content()).not.toContain(codes[0])
    await open(settings)
    await page.getByRole('heading', { name: 'It is on' }).waitFor()
    await see('10 are left.')
  })
})

describe('a sign-in on a new browser', () => {
  it('waits for the second step, also where its page is reloaded, and goes on where it was going (A-168, A-244)', async () => {
    const visitor = await waitingVisitor()
    const { page, fill, click, see, user } = visitor
    await fill('Code', user.phone.wrongCode())
    await click('Sign in')
    await see('That was wrong. Check it')
    await page.reload()
    await finish(visitor, user.phone.nextCode())
    await see(user.email)
    await visitor.open('/auth/mfa')
    await page.waitForURL(`${visitor.web}/`)
  })

  it('opens nothing while it waits (A-169)', async () => {
    const { page, web, context, user } = await waitingVisitor()
    for (const path of accountPages) {
      const answer = await context.request.get(`${web}${path}`, { maxRedirects: 0 })
      const { location } = answer.headers()
      expect(location).toBe(`/login?${new URLSearchParams({ returnTo: path })}`)
    }
    expect((await context.request.get(`${web}/api/rpc/getAuthSession`)).status()).toBe(401)
    expect(await page.evaluate(() => document.cookie)).not.toContain('svc_mfa_pending')
    expect((await app.api.keysOf(user.userId)).map(({ state }) => state).toSorted()).toEqual([
      'active',
      'pending',
    ])
  })

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

it('a password reset does not count as the second step (A-177)', async () => {
  const user = await enrolledUser()
  const visitor = await newVisitor()
  const { page, web, open, fill, click, see } = visitor
  await open('/password/forgot?returnTo=%2Faccount')
  await fill('Email', user.email)
  const link = await linkSentBy(() => click('Send link'), user.email, 'password-reset')
  await open(link)
  await page.waitForURL(`${web}/password/reset`)
  await click('Continue')
  await fill('Password', 'seven sleepy sailors')
  await click('Set password')
  await page.waitForURL(secondStep(visitor))
  await finish(visitor, user.phone.nextCode())
  await see(user.email)
})
