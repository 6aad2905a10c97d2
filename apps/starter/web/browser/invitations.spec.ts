import { describe, expect, it } from 'vitest'
import { ask, cookiesOf } from './ask.ts'
import { linkSentBy } from './mail.ts'
import { app, isPlain } from './running-web-app.ts'
import { administration, invited, newEmail, password, superadmin } from './test-invitations.ts'
import { newVisitor, signedInVisitor } from './visitor.ts'

describe('an invitation', () => {
  it('is mailed, and opens an account with its role, which counts at once (A-158)', async () => {
    const email = newEmail()
    const admin = await administration(superadmin)
    await admin.fill('Email', email)
    await admin.page.getByLabel('Role').selectOption('admin')
    const link = await linkSentBy(() => admin.click('Invite'), email, 'invitation')
    await admin.see(`We sent an invitation as Administrator to ${email}.`)
    await admin.row(email).getByText('Waiting').waitFor()
    await admin.row(email).getByText('as Administrator').waitFor()
    expect(await admin.page.getByLabel('Role').inputValue()).toBe('user')

    const guest = await newVisitor()
    await guest.open(link)
    await guest.see(`${email} is invited to create an account here, as Administrator.`)
    expect(guest.page.url()).toBe(`${app.web}/invitation`)
    await guest.fill('Password', 'password')
    await guest.click('Accept the invitation')
    await guest.see('It is too easy to guess. Choose another one.')
    await guest.fill('Password', password)
    await guest.click('Accept the invitation')
    await guest.page.waitForURL(`${app.web}/account`)
    await guest.see(email)
    await guest.open('/admin/invitations')
    await guest.page.getByRole('heading', { name: 'Invite someone' }).waitFor()
    const row = guest.page.getByRole('listitem').filter({ hasText: email })
    await row.getByText('Accepted', { exact: true }).waitFor()
    expect(await row.getByRole('button').count()).toBe(0)

    await guest.context.clearCookies()
    await guest.open(link)
    await guest.see('This invitation does not work')
  })

  it('is spent by a person alone, and leaves its token nowhere (A-158)', async () => {
    const { email, link } = await invited()
    const token = new URL(link, app.web).searchParams.get('token') ?? ''
    for (const method of ['GET', 'HEAD', 'GET']) {
      const answer = await fetch(`${app.web}${link}`, { method })
      expect(answer.status).toBe(200)
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'referrer-policy': 'no-referrer',
        'cache-control': expect.stringContaining('no-store'),
      })
    }
    const scanner = await newVisitor()
    await scanner.open(link)
    await scanner.see(email)

    const guest = await newVisitor()
    const addresses: string[] = []
    guest.page.on('request', (request) => addresses.push(request.url()))
    await guest.open(link)
    await guest.see(email)
    expect(addresses.slice(1).filter((url) => url.includes(token))).toEqual([])
    const readable = () =>
      guest.page.evaluate(() =>
        JSON.stringify([
          location.href,
          document.cookie,
          localStorage,
          sessionStorage,
          history.state,
        ]),
      )
    await expect.poll(readable).not.toContain(token)
    await guest.fill('Password', password)
    await guest.click('Accept the invitation')
    await guest.page.waitForURL(`${app.web}/account`)
  })

  it('makes a user who is signed in to another account sign out first', async () => {
    const { email, link } = await invited()
    const user = await app.api.createUser()
    const guest = await signedInVisitor(user)
    await guest.open(link)
    await guest.see('You are already signed in')
    await guest.see(user.email)
    await guest.click('Sign out and continue')
    await guest.fill('Password', password)
    await guest.click('Accept the invitation')
    await guest.page.waitForURL(`${app.web}/account`)
    await guest.see(email)
  })
})

describe('the page of invitations', () => {
  it.skipIf(isPlain)('is for users who may see users, and says so to all others', async () => {
    const user = await app.api.createUser()
    const { status, body } = await ask('/admin/invitations', { cookie: await cookiesOf(user) })
    expect(status).toBe(403)
    expect(body).not.toContain('Invitations</h1>')
    const visitor = await signedInVisitor(user)
    await visitor.open('/')
    await visitor.page.getByRole('button', { name: 'Your account' }).click()
    await visitor.page.getByRole('link', { name: 'Security' }).waitFor()
    expect(await visitor.page.getByRole('link', { name: 'Administration' }).count()).toBe(0)
  })
})
