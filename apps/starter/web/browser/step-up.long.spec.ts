import { describe, expect, it } from 'vitest'
import { enrolledVisitor } from './enrolled-visitor.ts'
import { addPasskey } from './passkey-visitor.ts'
import { changePassword, dialog, give, prove } from './test-step-up.ts'
import { giveAuthenticator } from './virtual-authenticator.ts'
import { newVisitor } from './visitor.ts'

describe('a user who proved their second step an hour ago is asked for it again, and what they began goes on', () => {
  it('when fresh recovery codes are made, and not again for a while (A-240, A-247)', async () => {
    const visitor = await enrolledVisitor()
    const makeCodes = async () => {
      await visitor.click('Create new codes')
      await visitor.click('Yes, create new codes')
    }
    await visitor.open('/account/security/two-step')
    await makeCodes()
    await prove(visitor)
    await visitor.click('I have saved them')
    await makeCodes()
    await visitor.click('I have saved them')
  })

  it('when a device is approved', async () => {
    const [waiting, visitor] = [await newVisitor(), await enrolledVisitor()]
    await waiting.open('/link?returnTo=%2Faccount')
    const code = await waiting.page.getByText(/^[2-9A-Z]{4}-[2-9A-Z]{4}$/).textContent()
    await visitor.open('/device')
    await visitor.fill('Code', code ?? '')
    await visitor.click('Continue')
    await visitor.click('Approve')
    await prove(visitor)
    await visitor.see('The device signs in as you in a moment')
    await waiting.page.waitForURL(`${waiting.web}/account`)
  })

  it('when two-step sign-in is turned off (A-238)', async () => {
    const visitor = await enrolledVisitor()
    await visitor.open('/account/security/two-step')
    await visitor.click('Turn two-step sign-in off')
    await visitor.click('Yes, turn it off')
    await prove(visitor)
    await visitor.see('Two-step sign-in is off.')
    await visitor.page.getByRole('heading', { name: 'It is off' }).waitFor()
    const other = await newVisitor()
    await other.signIn(visitor.user)
    await other.page.waitForURL(`${other.web}/`)
  })

  it('when the account is deleted (A-160)', async () => {
    const visitor = await enrolledVisitor()
    await visitor.open('/account/close')
    await visitor.fill('Your password', visitor.user.password)
    await visitor.click('Delete my account')
    await visitor.click('Yes, delete my account')
    await prove(visitor)
    await visitor.page.waitForURL(/\/restore\?until=/)
    expect(await visitor.context.cookies()).toEqual([])
  })

  it('when a passkey is added, and for the password too (A-234)', async () => {
    const visitor = await enrolledVisitor()
    await giveAuthenticator(visitor)
    await addPasskey(visitor, 'This laptop')
    await prove(visitor)
    await give(visitor, 'Your password', visitor.user.password)
    await visitor.see('This laptop is added.')
  })
})

it('a user who cancels leaves things as they were', async () => {
  const visitor = await enrolledVisitor()
  await changePassword(visitor, 'seven sleepy sailors')
  await dialog(visitor).getByRole('button', { name: 'Cancel' }).click()
  await visitor.see('Nothing was done. Confirm your second step first.')
  await visitor.click('Change password')
  await dialog(visitor).waitFor()
  await visitor.page.keyboard.press('Escape')
  await dialog(visitor).waitFor({ state: 'detached' })
  await visitor.see('Nothing was done')

  const other = await newVisitor()
  await other.signIn(visitor.user)
  await other.page.waitForURL(`${other.web}/auth/mfa`)
})
