import { afterAll, beforeEach, expect, it, vi } from 'vitest'
import { pageLocale } from '../../account-next.ts'
import { startTestWeb } from '../../test-browser.ts'

const request = { headers: new Headers() }
vi.mock('next/headers.js', () => ({ headers: async () => request.headers }))

const web = await startTestWeb()
afterAll(web.api.stop)
beforeEach(() => {
  for (const [name, value] of Object.entries(web.env)) vi.stubEnv(name, value)
  return () => vi.unstubAllEnvs()
})

it('is the account’s language, and the browser’s for a visitor who is not signed in', async () => {
  const browser = { 'accept-language': 'ko-KR,en;q=0.5' }
  request.headers = new Headers(browser)
  expect(await pageLocale(['de', 'ko'])).toBe('ko')

  const owner = web.browser()
  await owner.call('login', await web.api.createUser())
  await owner.call('updateLocale', { locale: 'de-AT' })
  request.headers = new Headers({ ...browser, cookie: owner.cookieHeader() })
  // The API's clock stands still, and a page signs with the machine's.
  web.api.clock.set(new Date())
  expect(await pageLocale(['de', 'ko'])).toBe('de')
  // Not Korean: the account asks for German, and English is what is left for it.
  expect(await pageLocale(['ko'])).toBe('en')
})
