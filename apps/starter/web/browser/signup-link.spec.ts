import { describe, expect, it } from 'vitest'
import { app } from './running-web-app.ts'
import { invited, newEmail, openLink, password, requestLink } from './test-signup-link.ts'
import { newVisitor } from './visitor.ts'

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
