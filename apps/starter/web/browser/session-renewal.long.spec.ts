import { describe, expect, it } from 'vitest'
import { boundVisitor, endWindow, expectAsked } from './test-session-renewal.ts'
import { newVisitor } from './visitor.ts'

describe('a bound session', () => {
  it('is over where its key ran out too long ago (A-257)', async () => {
    const visitor = await boundVisitor()
    await endWindow(visitor.user, 169)
    await expectAsked(visitor)
    await visitor.click('Continue with your passkey')
    await visitor.see('This session has ended')
    await visitor.page.getByRole('link', { name: 'Sign in again' }).click()
    await visitor.page.waitForURL(`${visitor.web}/login?returnTo=%2Faccount%2Fdevices`)
    await visitor.signIn(visitor.user)
    await visitor.page.waitForURL(`${visitor.web}/`)
  })

  it('has nothing to be renewed by once its only passkey is removed, as is said before and after', async () => {
    const visitor = await boundVisitor()
    const { open, see, click, page } = visitor
    await open('/account/security/passkeys')
    await page.getByRole('button', { name: 'Remove This laptop' }).click()
    await see('Without one you can’t renew it')
    await click('Yes, remove it')
    await see('This laptop is removed.')
    await open('/account/security')
    await see('You have no passkey left. Add one, or sign in again by')
    await see('You have none yet.')
  })

  it('is not to be renewed where there is none: the page says so, and leads back', async () => {
    const { page, web, open, see } = await newVisitor()
    await open('/auth/renew?returnTo=%2Faccount')
    await see('There is no session to continue')
    await page.getByRole('link', { name: 'Sign in again' }).click()
    await page.waitForURL(`${web}/login?returnTo=%2Faccount`)
  })

  it('is no longer bound once its passkey has agreed to that (A-252)', async () => {
    const visitor = await boundVisitor()
    await visitor.click('End the binding')
    const proving = visitor.page.waitForRequest('**/api/rpc/setSessionBinding')
    await visitor.click('Yes, with my passkey')
    expect((await proving).postDataJSON().body).toMatchObject({ mode: 'none', response: {} })
    await visitor.see('This session is not bound.')
    await visitor.open('/account/devices')
    await visitor.see('In use now')
    expect(await visitor.page.getByText('Bound to a passkey').count()).toBe(0)
  })
})
