import { describe, expect, it } from 'vitest'
import { passkeyVisitor } from './passkey-visitor.ts'
import { app } from './running-web-app.ts'
import { newVisitor, type Visitor } from './visitor.ts'

const isBound = 'This session is bound to your passkeys.'

/** A user whose session is bound to the passkey of their browser. */
async function boundVisitor() {
  const visitor = await passkeyVisitor()
  await visitor.open('/account/security')
  await visitor.click('Bind this session')
  await visitor.see(isBound)
  return visitor
}

/** As if the window had ended so long ago. The web app signs by the time that it is: the key is what is moved. */
async function endWindow({ userId }: { userId: string }, hoursAgo: number) {
  const endedAt = new Date(Date.now() - hoursAgo * 3_600_000).toISOString()
  await app.api.auth.db.execute(
    `update svc_auth.device_keys set expires_at = '${endedAt}' where user_id = '${userId}'`,
  )
}

async function expectAsked({ page, web, open }: Visitor) {
  await open('/account/devices')
  expect(page.url()).toBe(`${web}/auth/renew?returnTo=%2Faccount%2Fdevices`)
}

describe('a bound session', () => {
  it('goes on where it was by a passkey, once its key has run out (A-254, A-325)', async () => {
    const visitor = await boundVisitor()
    await endWindow(visitor.user, 1)
    await expectAsked(visitor)
    await visitor.click('Continue with your passkey')
    await visitor.page.waitForURL(`${visitor.web}/account/devices`)
    const here = visitor.page.getByRole('region', { name: 'This device' })
    await here.getByText('Bound to a passkey').waitFor()
    await here.getByText('Needs its passkey again in 24 hours.').waitFor()
    await visitor.see('You are not signed in anywhere else.')
  })

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
