import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { linkSentBy } from './mail.ts'
import { app } from './running-web-app.ts'
import { newVisitor, signedInVisitor } from './visitor.ts'

const password = 'seven sleepy sailors'

describe('a forgotten password', () => {
  it('is replaced by a mailed link, and every other device is signed out (A-126, A-177)', async () => {
    const user = await app.api.createUser()
    const elsewhere = await signedInVisitor(user)
    await elsewhere.open('/account')
    await elsewhere.see(user.email)

    const { page, web, open, fill, click, see, signIn, context } = await newVisitor()
    await open('/login?returnTo=%2Flive')
    await page.getByRole('link', { name: 'Forgot your password?' }).click()
    await page.waitForURL(/\/password\/forgot\?/)
    await fill('Email', user.email)
    const link = await linkSentBy(() => click('Send link'), user.email, 'password-reset')
    await see('Check your mail')

    await open(link)
    await page.waitForURL(`${web}/password/reset`)
    await click('Continue')
    await fill('Password', 'password')
    await click('Set password')
    await see('It is too easy to guess. Choose another one.')
    await elsewhere.open('/account')
    await elsewhere.see(user.email)
    await fill('Password', password)
    await click('Set password')
    await page.waitForURL(`${web}/live`)
    await see('Your new password is set.')

    await elsewhere.open('/account')
    expect(elsewhere.page.url()).toContain('/login?')
    await context.clearCookies()
    await signIn(user)
    await see('The email or the password is wrong.')
    await signIn({ ...user, password })
    await page.waitForURL(`${web}/`)

    await open(link)
    await click('Continue')
    await see('This link no longer works')
    await fill('Email', user.email)
    await linkSentBy(() => click('Send link'), user.email, 'password-reset')
    await see('Check your mail')
  })

  it('is asked for in the same words where there is no account (A-125)', async () => {
    const email = `${randomUUID()}@example.com`
    const { open, fill, click, see } = await newVisitor()
    await open('/password/forgot')
    await fill('Email', email)
    await click('Send link')
    await see('Check your mail')
    await see(email)
  })
})
