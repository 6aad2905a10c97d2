import { createTestKey } from '@svc/auth/testing'
import { describe, expect, it } from 'vitest'
import { openConsole, operator, someone } from './console-operator.ts'
import { app } from './running-web-app.ts'

describe('the users of the console, on a phone', () => {
  it('finds a user by half an address, and shows where they are signed in', async () => {
    const { word, email } = await someone()
    const { page, fill, click } = await openConsole()
    await fill('Begins with', word)
    await click('Search')
    await page.getByRole('link', { name: email }).click()
    await page.getByRole('heading', { name: email, level: 1 }).waitFor()
    await page.getByRole('heading', { name: 'Devices' }).waitFor()
    expect(await page.getByRole('button', { name: 'Sign out Device without a name' }).count()).toBe(
      1,
    )
  })

  it('suspends a user with a reason, which the trail keeps, and allows sign-ins again', async () => {
    const { userId, email, password } = await someone()
    const { open, fill, click, see } = await openConsole()
    await open(`/admin/people/${userId}`)
    await click('Suspend')
    await fill('Reason', 'Spam from this account')
    await click('Yes, suspend')
    await see(`${email} is suspended, and signed out everywhere.`)
    const { registration } = await createTestKey()
    const refused = await app.api.call('login', { email, password, ...registration })
    expect(refused.status).not.toBe(200)
    await click('Allow sign-ins again')
    await click('Yes, allow it')
    await see(`${email} can sign in again.`)
    await app.api.signIn({ email, password })
  })

  it('shows no act on the operator’s own account', async () => {
    const { open, see, page } = await openConsole()
    await open(`/admin/people/${operator.userId}`)
    await see('This is your own account.')
    expect(await page.getByRole('button', { name: 'Suspend' }).count()).toBe(0)
  })
})
