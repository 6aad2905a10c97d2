import { describe, it } from 'vitest'
import { enrol } from './enrolled-visitor.ts'
import { passkeysPage, passkeyVisitor, signInWithPasskey, visitorWith } from './passkey-visitor.ts'
import { expectRefused, only, remove } from './test-passkeys.ts'

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

  it('opens nothing once it is removed, and is told so (A-232)', async () => {
    const visitor = await passkeyVisitor()
    const thief = await visitorWith(await visitor.authenticator.credentials())
    await remove(visitor)
    await visitor.page.getByRole('heading', { name: 'No passkeys yet' }).waitFor()
    await expectRefused(thief)
  })
})

describe('what an authenticator has signed', () => {
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
