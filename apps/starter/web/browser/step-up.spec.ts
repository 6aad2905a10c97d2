import { describe, expect, it } from 'vitest'
import { enrolledVisitor } from './enrolled-visitor.ts'
import { addPasskey } from './passkey-visitor.ts'
import { giveAuthenticator } from './virtual-authenticator.ts'
import { newVisitor, type Visitor } from './visitor.ts'

type Enrolled = Awaited<ReturnType<typeof enrolledVisitor>>

const dialog = ({ page }: Visitor) => page.getByRole('dialog', { name: 'Confirm that it is you' })

async function give(visitor: Visitor, label: string, proof: string) {
  await dialog(visitor).getByLabel(label, { exact: true }).fill(proof)
  await dialog(visitor).getByRole('button', { name: 'Continue' }).click()
}

const prove = (visitor: Enrolled) => give(visitor, 'Code', visitor.user.phone.nextCode())

async function changePassword({ open, fill, click, user }: Enrolled, newPassword: string) {
  await open('/account/security')
  await click('Change password')
  await fill('Current password', user.password)
  await fill('New password', newPassword)
  await click('Change password')
}

describe('a user who proved their second step an hour ago is asked for it again, and what they began goes on', () => {
  it('when a password is changed (A-247)', async () => {
    const visitor = await enrolledVisitor()
    await changePassword(visitor, 'seven sleepy sailors')
    await give(visitor, 'Code', visitor.user.phone.wrongCode())
    await dialog(visitor).getByText('That was wrong. Check it and try again.').waitFor()
    await prove(visitor)
    await visitor.see('Your password is changed')
    expect(await dialog(visitor).count()).toBe(0)
  })

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
