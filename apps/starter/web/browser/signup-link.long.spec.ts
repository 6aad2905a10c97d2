import { describe, expect, it } from 'vitest'
import { linkSentBy } from './mail.ts'
import { app } from './running-web-app.ts'
import { invited, newEmail, openLink, password, requestLink } from './test-signup-link.ts'
import { newVisitor } from './visitor.ts'

describe('signing up by a mailed link', () => {
  it('takes the newest link alone, and says how to get another (A-115)', async () => {
    const email = newEmail()
    const visitor = await newVisitor()
    const { page, open, click, see } = visitor
    await page.clock.install()
    await open('/signup')
    const first = await requestLink(visitor, email)
    await page.clock.fastForward(30_000)
    const second = await linkSentBy(() => click('Send another link'), email, 'signup-link')
    await see('We sent another link.')

    await openLink(visitor, first)
    await see('This link no longer works')
    await openLink(visitor, second)
    await see(email)

    const third = await linkSentBy(
      async () => {
        const other = await newVisitor()
        await other.open('/signup')
        await requestLink(other, email)
      },
      email,
      'signup-link',
    )
    await visitor.fill('Password', password)
    await click('Create account')
    await see('We sent a newer link to')
    expect(await page.getByLabel('Email', { exact: true }).inputValue()).toBe(email)
    await openLink(visitor, third)
    await see(email)
  })

  it('sends a user who has an account by now to sign in to it', async () => {
    const { visitor, email, link } = await invited()
    await openLink(visitor, link)
    await visitor.see(email)
    await app.api.createUser({ email })
    await visitor.fill('Password', password)
    await visitor.click('Create account')
    await visitor.page.getByRole('link', { name: 'Sign in instead' }).click()
    await visitor.page.waitForURL(/\/login\?returnTo=%2Faccount$/)
  })
})
