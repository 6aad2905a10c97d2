import type { Page } from 'playwright-core'
import type { Picture } from './picture.ts'
import { answer } from './sign-in-pictures.ts'

const day = 86_400_000
const linkedPath = '/account/security/linked'

/** For users who come back from a provider. */
export const socialPictures: Picture[] = [
  { name: 'auth-callback', path: '/auth/callback', until: finishes },
  { name: 'auth-callback-over', path: '/auth/callback' },
  { name: 'auth-error', path: '/auth/error?error=provider_error' },
]

export const linkedPictures: Picture[] = [
  { name: 'linked-accounts', path: linkedPath, isSignedIn: true, until: hasLinked },
  { name: 'linked-accounts-none', path: linkedPath, isSignedIn: true },
]

/** The API does not answer for as long as the picture takes. */
async function finishes(page: Page) {
  await page.context().addCookies([{ name: 'svc_oauth_pending', value: 'x', url: page.url() }])
  await page.route('**/api/rpc/finalize', () => {})
  await page.reload()
  await page.getByText('Signing you in…').waitFor()
  await page.context().clearCookies()
}

async function hasLinked(page: Page) {
  // The page counts from the time that the server has rendered it.
  const at = Date.now()
  await answer(page, 'listSocialAccounts', {
    accounts: [
      { provider: 'github', linkedAtMillis: at - 60 * day, lastUsedAtMillis: at - day / 12 },
      { provider: 'kakao', linkedAtMillis: at - 9 * day },
    ],
  })
  await page.goto(`${page.url()}?linked=github`)
  await page.getByText('GitHub is linked.').waitFor()
}
