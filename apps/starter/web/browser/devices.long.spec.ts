import { createTestKey } from '@svc/auth/testing'
import { describe, expect, it } from 'vitest'
import { app } from './running-web-app.ts'
import { expectSignedOut, others, twoDevices } from './test-devices.ts'
import { signedInVisitor } from './visitor.ts'

describe('the list of devices', () => {
  it('signs out all others', async () => {
    const { user, first, second } = await twoDevices()
    const third = await signedInVisitor(user)
    await second.open('/account/devices')
    expect(await others(second).count()).toBe(2)
    await second.click('Sign out all other devices')
    await second.click('Yes, sign out')
    await second.see('You are not signed in anywhere else.')
    await expectSignedOut(first)
    await expectSignedOut(third)
  })

  it('signs this one out', async () => {
    const { second } = await twoDevices()
    await second.click('Sign out this device')
    await second.click('Yes, sign out')
    await second.page.waitForURL(`${second.web}/login`)
    await expectSignedOut(second)
  })
})

describe('a device that has let others in', () => {
  /** A phone that has let a television in, approved another device, and the browser that shows them. */
  async function household() {
    const { call, createUser, signIn } = app.api
    const user = await createUser()
    const phone = await signIn(user)
    const approved = async (deviceName: string) => {
      const key = await createTestKey()
      const { body } = await call('startDeviceAuth', { ...key.registration, deviceName })
      await call('approveDeviceAuth', { userCode: body.userCode }, phone)
      return { key, collect: () => call('pollDeviceAuth', { deviceCode: body.deviceCode }) }
    }
    const tv = await approved('Living-room TV')
    expect((await tv.collect()).status).toBe(200)
    const visitor = await signedInVisitor(user)
    await visitor.open('/account/devices')
    const item = visitor.page
      .getByRole('listitem')
      .filter({ hasText: 'Gave access to: Living-room TV' })
    return { phone, tv, approved, visitor, item }
  }
  const statusOf = async (key: Awaited<ReturnType<typeof createTestKey>>) =>
    (await app.api.call('getAuthSession', undefined, key)).status

  it('says so before it is signed out, and takes them along', async () => {
    const { phone, tv, visitor, item } = await household()
    await item.getByRole('button', { name: 'Sign out' }).click()
    await visitor.see('This device also gave access to: Living-room TV.')
    await visitor.click('Yes, sign out')
    await visitor.see('Also signed out: Living-room TV.')
    await visitor.see('You are not signed in anywhere else.')
    for (const key of [phone, tv.key]) expect(await statusOf(key)).toBe(401)
  })

  it('leaves them signed in where the reader wants that', async () => {
    const { phone, tv, visitor, item } = await household()
    await item.getByRole('button', { name: 'Sign out' }).click()
    await visitor.page.getByLabel('Sign these out too').uncheck()
    await visitor.click('Yes, sign out')
    await visitor.see('Device without a name is signed out.')
    await item.waitFor({ state: 'detached' })
    expect(await others(visitor).innerText()).toContain('Living-room TV')
    expect([await statusOf(phone), await statusOf(tv.key)]).toEqual([401, 200])
  })

  it('has approved one that has not come yet: the page says so, and ends it with all others (A-113)', async () => {
    const { approved, visitor } = await household()
    const kitchen = await approved('Kitchen display')
    await visitor.open('/account/devices')
    await visitor.see('Approved, not signed in yet')
    await visitor.see('Kitchen display can sign in until')
    await visitor.click('End it and sign out all other devices')
    await visitor.click('Yes, sign out')
    await visitor.see('You are not signed in anywhere else.')
    expect(await visitor.page.getByText('Approved, not signed in yet').count()).toBe(0)
    expect((await kitchen.collect()).status).toBe(403)
  })
})
