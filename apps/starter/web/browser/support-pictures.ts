import type { Page } from 'playwright-core'
import type { Picture } from './picture.ts'
import { answer } from './sign-in-pictures.ts'

const codePath = '/account/security/support-code'

export const supportPictures: Picture[] = [
  { name: 'support-session', path: '/account/devices', isSignedIn: true, until: isOpen },
  { name: 'support-code-none', path: codePath, isSignedIn: true },
  { name: 'support-code', path: codePath, isSignedIn: true, until: showsCode },
]

/** An operator has signed in a minute ago, for half an hour. */
async function isOpen(page: Page) {
  const at = Date.now()
  const session = {
    keyId: 'support-key',
    kind: 'support',
    deviceName: 'Hedy Lamarr',
    algorithm: 'ES256',
    fingerprintPrefix: '3f9a1c07',
    createdAtMillis: at - 95_000,
    lastUsedAtMillis: at - 90_000,
    expiresAtMillis: at + 28.5 * 60_000,
    isExpired: false,
    isActive: true,
  }
  await page.route('**/api/rpc/listKeys*', async (route) => {
    const response = await route.fetch()
    const { keys, ...rest } = await response.json()
    await route.fulfill({ response, json: { ...rest, keys: [...keys, session] } })
  })
  await page.reload()
  await page.getByText('Support is signed in to your account').waitFor()
  await page.getByText('Support can use your account.').waitFor()
  // At a time of day that is always the same.
  await page.locator('.svc-notice time').evaluate((time) => {
    time.textContent = '14:20'
  })
}

/** The code waits to be told, at a time of day that is always the same. */
async function showsCode(page: Page) {
  const now = Date.UTC(2026, 2, 2, 9, 41)
  await page.clock.setFixedTime(now)
  await answer(page, 'createSupportCode', { code: 'K7QM-2XVH', expiresAtMillis: now + 581_000 })
  await page.reload()
  await page.getByRole('button', { name: 'Show a code', exact: true }).click()
  await page.getByText('K7QM-2XVH').waitFor()
}
