import { createPortableKey } from '@svc/auth'
import { createTestKey } from '@svc/auth/testing'
import type { Page } from 'playwright-core'
import { sealSession } from '../../../../scripts/browser/seal-session.ts'
import type { Picture } from './picture.ts'
import { sessionSecret, type TestWebApp } from './test-web-app.ts'

/** For a user with a session of their own, which it leaves behind. */
export const devicePictures: Picture[] = [
  { name: 'devices-let-in', path: '/icon.svg', until: asksAboutLetIn, after: leaves },
]

/** A phone has let a television and a program in, and has approved one more device. */
async function asksAboutLetIn(page: Page, { api, web }: TestWebApp) {
  const email = `ada.${Date.now() % 1000}@example.com`
  const { userId, password } = await api.createUser({ email })
  const phone = await createTestKey()
  const named = { deviceName: 'Ada’s iPhone', platform: 'ios' }
  await api.call('login', { email, password, ...phone.registration, ...named })
  for (const deviceName of ['Living-room TV', 'Kitchen display']) {
    const { registration } = await createTestKey()
    const { body } = await api.call('startDeviceAuth', { ...registration, deviceName })
    await api.call('approveDeviceAuth', { userCode: body.userCode }, phone)
    if (deviceName === 'Living-room TV') {
      await api.call('pollDeviceAuth', { deviceCode: body.deviceCode })
    }
  }
  const machine = (await createTestKey()).registration
  const program = { ...machine, deviceName: 'Nightly report', permissions: [] }
  await api.call('createMachineKey', program, phone)

  const { registration, ...portable } = await createPortableKey()
  const browser = { deviceName: 'Chrome on Linux', platform: 'web' }
  await api.call('login', { email, password, ...registration, ...browser })
  const value = await sealSession(sessionSecret, { userId, ...portable })
  // The header looks for the other of the two cookies.
  const cookies = { svc_session: value, svc_csrf: 'none' }
  await page
    .context()
    .addCookies(Object.entries(cookies).map(([name, text]) => ({ name, value: text, url: web })))
  await page.goto(`${web}/account/devices`)
  await page.getByRole('button', { name: 'Sign out Ada’s iPhone' }).click()
  await page.getByText('Sign these out too').waitFor()
}

function leaves(page: Page) {
  return page.context().clearCookies()
}
