import { describe, expect, it } from 'vitest'
import { isPlain } from './running-web-app.ts'
import { expectSignedOut, others, twoDevices } from './test-devices.ts'
import { type Visitor } from './visitor.ts'

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
