import { describe, expect, it } from 'vitest'
import { linkSentBy } from './mail.ts'
import { app } from './running-web-app.ts'
import { administration, invited, newEmail, password, superadmin } from './test-invitations.ts'
import { newVisitor } from './visitor.ts'

describe('an invitation', () => {
  it('is dead once it was taken back, or sent again', async () => {
    const { email, link } = await invited()
    const { row, see, click } = await administration(superadmin)
    const again = () => row(email).getByRole('button', { name: 'Send again' }).click()
    const newest = await linkSentBy(again, email, 'invitation')
    await see('The old one no longer works.')
    const guest = await newVisitor()
    await guest.open(link)
    await guest.see('This invitation does not work')
    await guest.open(newest)
    await guest.see(email)

    await row(email).getByRole('button', { name: 'Cancel invitation' }).click()
    expect(await row(email).getByRole('button').allTextContents()).toEqual([
      'Yes, cancel it',
      'Keep it',
    ])
    await click('Yes, cancel it')
    await row(email).getByText('Cancelled', { exact: true }).waitFor()
    await guest.fill('Password', password)
    await guest.click('Accept the invitation')
    await guest.see('This invitation does not work')
  })
})

describe('the page of invitations', () => {
  it('says why no invitation was sent', async () => {
    const { fill, click, see } = await administration(await app.api.createUser({ role: 'admin' }))
    const inviteAs = async (email: string, role: string) => {
      await fill('Email', email)
      await fill('Role', role)
      await click('Invite')
    }
    await inviteAs('no address', 'user')
    await see('Enter a valid email address.')
    await inviteAs(newEmail(), 'no-such-role')
    await see('There is no role with this name. Enter another one.')
    await inviteAs(newEmail(), 'superadmin')
    await see('That was refused:')
    await inviteAs(superadmin.email, 'user')
    await see('This address already has an account.')
    await inviteAs((await invited()).email, 'user')
    await see('This address is already invited.')
  })

  it('shows those of one state, and deletes one for a superadmin', async () => {
    const { email } = await invited()
    const { page, row, click, see } = await administration(superadmin)
    await page.getByRole('link', { name: 'Expired', exact: true }).click()
    await see('There are no invitations here.')
    await page.getByRole('link', { name: 'Waiting', exact: true }).click()
    await row(email).getByRole('button', { name: 'Cancel invitation' }).click()
    await click('Yes, cancel it')
    await expect.poll(() => row(email).count()).toBe(0)
    await page.getByRole('link', { name: 'Cancelled', exact: true }).click()
    await row(email).getByRole('button', { name: 'Delete' }).click()
    await click('Delete it')
    await see(`The invitation of ${email} is deleted.`)
    await expect.poll(() => row(email).count()).toBe(0)
  })
})
