import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { authenticatorApp } from '../../../../scripts/browser/authenticator-app.ts'
import { enrolledUser } from './enrolled-visitor.ts'
import { linkSentBy } from './mail.ts'
import { accountPages } from './pages.ts'
import { app } from './running-web-app.ts'
import { finish, secondStep, settings, waitingVisitor } from './test-second-factor.ts'
import { newVisitor, signedInVisitor } from './visitor.ts'

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
