import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { linkSentBy } from './mail.ts'
import { app } from './running-web-app.ts'
import { newVisitor, type Visitor } from './visitor.ts'

const password = 'seven sleepy sailors'
const newEmail = () => `${randomUUID()}@example.com`

/** Asks on the page that is open, and answers where the mailed link leads. */
async function requestLink({ fill, click, see }: Visitor, email: string) {
  await fill('Email', email)
  const link = await linkSentBy(() => click('Send link'), email, 'signup-link')
  await see('Check your mail')
  return link
}

/** A person whose link has just come. */
async function invited() {
  const email = newEmail()
  const visitor = await newVisitor()
  await visitor.open('/signup')
  return { visitor, email, link: await requestLink(visitor, email) }
}

async function openLink({ open, page, web, click }: Visitor, link: string) {
  await open(link)
  await page.waitForURL(`${web}/signup/confirm`)
  await click('Continue')
}

describe('signing up by a mailed link', () => {
  it('opens an account, and leads where the user was going (A-172, A-174)', async () => {
    const email = newEmail()
    const visitor = await newVisitor()
    const { page, web, context, open, fill, click, see } = visitor
    await open('/login?returnTo=%2Flive')
    await page.getByRole('main').getByRole('link', { name: 'Create an account' }).click()
    await page.getByRole('link', { name: 'With a link by email' }).click()
    await page.waitForURL(/\/signup\?/)
    const link = await requestLink(visitor, email)
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Check your mail')

    await openLink(visitor, link)
    await see(email)
    await fill('Password', 'password')
    await click('Create account')
    await see('It is too easy to guess. Choose another one.')
    await fill('Password', password)
    await click('Create account')
    await page.waitForURL(`${web}/live`)
    await visitor.isSignedIn()
    await see('Your account is created')
    await page.reload()
    expect(await page.getByText('Your account is created').count()).toBe(0)
    const names = (await context.cookies()).map(({ name }) => name)
    expect(names.toSorted()).toEqual(['svc_csrf', 'svc_known', 'svc_session'])
  })

  it('goes on after the page was reloaded, or the link opened again, and in no other browser', async () => {
    const { visitor, email, link } = await invited()
    await openLink(visitor, link)
    await visitor.see(email)
    await visitor.page.reload()
    await visitor.see(email)
    await openLink(visitor, link)
    await visitor.see(email)

    const other = await newVisitor()
    await other.open('/signup/confirm')
    await other.see('This page needs a link')
    await openLink(other, link)
    await other.see('This link no longer works')

    await visitor.fill('Password', password)
    await visitor.click('Create account')
    await visitor.page.waitForURL(`${visitor.web}/account`)
  })

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

  it('says the same to a user who has an account, and the message says so (A-114)', async () => {
    const { email } = await app.api.createUser()
    const { open, fill, click, see } = await newVisitor()
    await open('/signup')
    await fill('Email', email)
    const ask = () => click('Send link')
    expect((await app.api.sentBy(ask, email, 'account-exists')).text).not.toContain('token')
    await see('Check your mail')
  })
})
