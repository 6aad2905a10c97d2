import { createTestKey } from '@svc/auth/testing'
import { describe, expect, it } from 'vitest'
import { app, isPlain } from './running-web-app.ts'
import { signedInVisitor, type Visitor } from './visitor.ts'

const others = ({ page }: Visitor) => page.getByRole('listitem').filter({ hasText: 'Signed in' })

async function twoDevices() {
  const user = await app.api.createUser()
  const [first, second] = [await signedInVisitor(user), await signedInVisitor(user)]
  await second.open('/account/devices')
  return { user, first, second }
}

/** What a signed-out user sees, and which cookies their browser has. */
async function expectSignedOut({ page, context, open, web }: Visitor) {
  await open('/account')
  expect(page.url()).toBe(`${web}/login?returnTo=%2Faccount`)
  const answer = await page.evaluate(() =>
    fetch('/api/rpc/getAuthSession').then(({ status }) => status),
  )
  expect(answer).toBe(401)
  // The cookie of known browsers stays (decisions 16).
  expect((await context.cookies()).map(({ name }) => name)).toEqual(['svc_known'])
}

describe('the list of devices', () => {
  it('has every browser that is signed in, and signs one out at once', async () => {
    const { first, second } = await twoDevices()
    await second.page.getByLabel('This device').getByText('In use now').waitFor()
    expect(await others(second).count()).toBe(1)

    await others(second).getByRole('button', { name: 'Sign out' }).click()
    await second.click('Yes, sign out')
    await second.see('You are not signed in anywhere else.')
    await expectSignedOut(first)
    await second.open('/account')
    expect(second.page.url()).toBe(`${second.web}/account`)
  })

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

describe.skipIf(isPlain)('a page that is open where the device was signed out', () => {
  const navigation = ({ page }: Visitor) => page.getByRole('navigation', { name: 'Main' })
  const told = 'You were signed out on this device.'

  async function signedOutElsewhere(visit: (first: Visitor) => Promise<unknown>) {
    const { first, second } = await twoDevices()
    await visit(first)
    await second.click('Sign out all other devices')
    await second.click('Yes, sign out')
    await second.see('You are not signed in anywhere else.')
    return first
  }

  /** It holds no stream, so nothing tells it. */
  const signedOutOnAQuietPage = () => signedOutElsewhere((first) => first.open('/device'))

  async function expectStranger(visitor: Visitor) {
    await navigation(visitor).getByRole('link', { name: 'Sign in' }).waitFor()
    expect(await navigation(visitor).innerText()).not.toMatch(/Account|Sign out/)
  }

  it('says so by itself where a stream was open, and offers to sign in', async () => {
    const first = await signedOutElsewhere(async (visitor) => {
      await visitor.open('/')
      await visitor.see('Connected to the API, live')
    })
    await navigation(first).getByText(told).waitFor()
    await expectStranger(first)
  })

  it('says so as soon as a call was refused, and offers to sign in', async () => {
    const first = await signedOutOnAQuietPage()
    await navigation(first).getByRole('button', { name: 'Your account' }).waitFor()
    await first.page.evaluate(() => fetch('/api/rpc/getAuthSession'))
    await navigation(first).getByText(told).waitFor()
    await expectStranger(first)
  })

  it('leads to the sign-in page, which says so', async () => {
    const first = await signedOutOnAQuietPage()
    await navigation(first).getByRole('link', { name: 'Live' }).click()
    await first.page.getByRole('main').getByText(told).waitFor()
    await expectStranger(first)
  })
})

describe('a new password', () => {
  it('signs every other device out, and is the one that counts', async () => {
    const { user, first, second } = await twoDevices()
    const password = 'a horse that is correct'
    await second.open('/account/security')
    await second.click('Change password')
    await second.fill('Current password', user.password)
    await second.fill('New password', password)
    await second.click('Change password')
    await second.see('Your password is changed')
    await expectSignedOut(first)
    await first.signIn(user)
    await first.see('The email or the password is wrong.')
    await first.signIn({ ...user, password })
    await first.page.waitForURL(`${first.web}/`)
  })
})
