import { afterAll, beforeEach, expect, it, vi } from 'vitest'
import { getWaitingSignIn } from '../next.ts'
import { startTestWeb } from '../test-browser.ts'
import { testOperations } from '../test-operations.ts'

const request = { headers: new Headers() }
vi.mock('next/headers.js', () => ({ headers: async () => request.headers }))

const expiresAtMillis = Date.now() + 7 * 60_000
const challenge = { secret: 'challenge', expiresAtMillis }
const { router, routeMap } = testOperations({
  acceptInvitation: () => ({ status: 202, body: { mfaRequired: true, challenge } }),
})
const web = await startTestWeb({ router, routeMap })
afterAll(web.api.stop)

beforeEach(() => {
  for (const [name, value] of Object.entries(web.env)) vi.stubEnv(name, value)
  return () => {
    vi.unstubAllEnvs()
    vi.useRealTimers()
  }
})

it('a page knows until when a sign-in waits in its browser, and nothing else of it', async () => {
  const page = web.browser()
  await page.call('acceptInvitation', {})
  request.headers = new Headers({ cookie: page.cookieHeader() })
  expect(await getWaitingSignIn()).toEqual({ expiresAt: new Date(expiresAtMillis) })
  vi.useFakeTimers({ toFake: ['Date'], now: expiresAtMillis })
  expect(await getWaitingSignIn()).toBeNull()
})

it('a page finds none where no sign-in has begun, or a user is signed in', async () => {
  request.headers = new Headers()
  expect(await getWaitingSignIn()).toBeNull()
  const page = web.browser()
  await page.call('login', await web.api.createUser())
  for (const cookie of [
    page.cookieHeader(),
    `svc_mfa_pending=${page.cookies.get('svc_session')}`,
  ]) {
    request.headers = new Headers({ cookie })
    expect(await getWaitingSignIn()).toBeNull()
  }
})
