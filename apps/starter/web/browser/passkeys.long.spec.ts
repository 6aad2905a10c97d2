import { describe, expect, it } from 'vitest'
import { callRpc } from './ask.ts'
import { passkeysPage, passkeyVisitor, signInWithPasskey, visitorWith } from './passkey-visitor.ts'
import { app } from './running-web-app.ts'
import { expectRefused, only, remove } from './test-passkeys.ts'

describe('a passkey', () => {
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
})
