import { describe, expect, it } from 'vitest'
import { callRpc } from './ask.ts'
import { enrol } from './enrolled-visitor.ts'
import { passkeysPage, passkeyVisitor, signInWithPasskey, visitorWith } from './passkey-visitor.ts'
import { app } from './running-web-app.ts'
import type { Visitor } from './visitor.ts'

const opensNothing = 'This passkey doesn’t belong to an account here. Sign in another way.'

const only = ({ page }: Visitor) =>
  page.getByRole('region', { name: '1 passkey' }).getByRole('listitem')

async function remove(visitor: Visitor) {
  await only(visitor).getByRole('button', { name: 'Remove' }).click()
  await visitor.click('Yes, remove it')
}

async function expectRefused(visitor: Visitor) {
  await signInWithPasskey(visitor)
  await visitor.see(opensNothing)
  await visitor.open('/account')
  expect(visitor.page.url()).toBe(`${visitor.web}/login?returnTo=%2Faccount`)
}

describe('a passkey', () => {
  it('is added under a name, and signs in by the button (A-227, A-229)', async () => {
    const visitor = await passkeyVisitor('Ada’s laptop')
    await only(visitor).getByRole('heading', { name: 'Ada’s laptop' }).waitFor()
    await only(visitor).getByText('Not used yet.').waitFor()
    await visitor.signOut()
    await visitor.page.waitForURL(`${visitor.web}/`)

    await signInWithPasskey(visitor, '/login?returnTo=%2Faccount')
    await visitor.page.waitForURL(`${visitor.web}/account`)
    await visitor.see(visitor.user.email)
    await visitor.open(passkeysPage)
    await only(visitor).getByText('Last used').waitFor()
  })

  it('signs in by what the browser offers in the field for the email', async () => {
    const { authenticator, user } = await passkeyVisitor()
    const other = await visitorWith(await authenticator.credentials(), { autofill: true })
    await other.page.goto(`${other.web}/login?returnTo=%2Faccount`)
    await other.page.waitForURL(`${other.web}/account`)
    await other.see(user.email)
  })

  it('is made once on each device, and is called as its owner likes (A-231)', async () => {
    const visitor = await passkeyVisitor('This laptop')
    await visitor.click('Add a passkey')
    await visitor.see('This device or security key already has a passkey for this account.')
    await only(visitor).getByRole('button', { name: 'Rename' }).click()
    await only(visitor).getByLabel('Name').fill('<b>The red one</b>')
    await visitor.click('Save')
    await visitor.see('The passkey is now called <b>The red one</b>.')
    await visitor.open(passkeysPage)
    await only(visitor).getByRole('heading', { name: '<b>The red one</b>' }).waitFor()
  })

  it('has its old name back by the toast that says it was renamed', async () => {
    const visitor = await passkeyVisitor('This laptop')
    await only(visitor).getByRole('button', { name: 'Rename' }).click()
    await only(visitor).getByLabel('Name').fill('The red one')
    await visitor.click('Save')
    const toast = visitor.page.getByRole('status').filter({ hasText: 'The passkey is now called' })
    await toast.getByText('The red one').waitFor()
    await toast.getByRole('button', { name: 'Undo' }).click()
    await toast.getByText('This laptop').waitFor()
    expect(await toast.getByRole('button').count()).toBe(0)
    await visitor.open(passkeysPage)
    await only(visitor).getByRole('heading', { name: 'This laptop' }).waitFor()
  })

  it('opens nothing once it is removed, and is told so (A-232)', async () => {
    const visitor = await passkeyVisitor()
    const thief = await visitorWith(await visitor.authenticator.credentials())
    await remove(visitor)
    await visitor.page.getByRole('heading', { name: 'No passkeys yet' }).waitFor()
    await expectRefused(thief)
  })

  it('stays where it is the last way to sign in (A-232)', async () => {
    const visitor = await passkeyVisitor()
    const { userId } = visitor.user
    await app.api.auth.db.execute(
      `update svc_auth.users set password_hash = null, email_verified_at = null
       where user_id = '${userId}'`,
    )
    await remove(visitor)
    await visitor.see('This is your last way to sign in.')
    await visitor.open(passkeysPage)
    await only(visitor).waitFor()
  })
})

describe('a copy of a passkey', () => {
  it('is refused, once its owner has signed in since it was made', async () => {
    const visitor = await passkeyVisitor()
    const thief = await visitorWith(await visitor.authenticator.credentials())
    await visitor.context.clearCookies()
    await signInWithPasskey(visitor)
    await visitor.page.waitForURL(`${visitor.web}/`)
    await expectRefused(thief)
  })
})

describe('what an authenticator has signed', () => {
  it('signs in once', async () => {
    const { authenticator } = await passkeyVisitor()
    const visitor = await visitorWith(await authenticator.credentials())
    const sending = visitor.page.waitForRequest('**/api/rpc/passkeyLoginVerify')
    await signInWithPasskey(visitor)
    const { body } = (await sending).postDataJSON()
    await visitor.page.waitForURL(`${visitor.web}/`)

    const again = await callRpc('passkeyLoginVerify', body)
    expect(again.status).toBe(401)
    expect(await again.json()).toMatchObject({ error: { code: 'PasskeyChallengeError' } })
    expect(again.headers.getSetCookie()).toEqual([])
  })

  it('without user verification is one factor: the second is asked for (A-168)', async () => {
    const { authenticator, user } = await passkeyVisitor()
    const { phone } = await enrol(user)
    const visitor = await visitorWith(await authenticator.credentials(), { verifies: false })
    await signInWithPasskey(visitor, '/login?returnTo=%2Faccount')
    await visitor.page.waitForURL(`${visitor.web}/auth/mfa?returnTo=%2Faccount`)
    await visitor.fill('Code', phone.nextCode())
    await visitor.click('Sign in')
    await visitor.page.waitForURL(`${visitor.web}/account`)
  })
})
