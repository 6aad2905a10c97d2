import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestWeb, testSecret } from '../test-browser.ts'
import { testOperations } from '../test-operations.ts'
import type { CookieName } from './cookies.ts'
import { type Purpose, Sealer } from './sealer.ts'
import type { WebSession } from './web-sessions.ts'

const reached = () => ({ status: 400, body: { __type: 'BadRequestError' } })
const { router, routeMap } = testOperations({
  mfaVerify: reached,
  finalize: reached,
  completeSignup: reached,
  completePasswordReset: reached,
})
const webEnv = { SVC_AUTH_CSRF: 'off' }
const web = await startTestWeb({ router, routeMap, webEnv })
afterAll(web.api.stop)

/** Each cookie, what it is sealed for, the operation that opens it, and what that answers when it was good. */
const cookies: [CookieName, Purpose, string, number][] = [
  ['svc_session', 'session', 'listKeys', 200],
  ['svc_mfa_pending', 'mfa pending', 'mfaVerify', 400],
  ['svc_oauth_pending', 'oauth pending', 'finalize', 400],
  ['svc_signup_setup', 'signup setup', 'completeSignup', 400],
  ['svc_password_reset_setup', 'password reset setup', 'completePasswordReset', 400],
]

const sealer = new Sealer(testSecret)
let session: WebSession
beforeAll(async () => {
  const page = web.browser()
  await page.call('login', await web.api.createUser())
  const value = page.cookies.get('svc_session') ?? ''
  const opened = await sealer.open('session', value, Date.now())
  if (!opened) throw new Error('That is no session.')
  session = opened.content
})

const pending = { challenge: 'challenge', expiresAtMillis: Date.now() + 60_000 }
const setup = { setupSecret: 'secret', email: 'a@example.com', returnPath: '/' }

it.each(cookies)('%s opens what was sealed as %s, and nothing else', async (...row) => {
  const [name, purpose, operation, good] = row
  for (const [, other] of cookies) {
    // What any of them could hold: that it is for something else is all that is wrong.
    const content = { ...session, ...setup, ...pending, key: session }
    const value = await sealer.seal(other, content, Date.now() + 60_000)
    const cookie = `${name}=${value}`
    const answer = await web.browser().send(operation, {}, { cookie })
    expect([other, answer.status]).toEqual([other, other === purpose ? good : 401])
  }
})

it.each(cookies)('%s that comes twice, is broken or has expired opens nothing', async (...row) => {
  const [name, purpose, operation, good] = row
  const seal = (millis: number) =>
    sealer.seal(purpose, { ...session, ...setup, ...pending, key: session }, Date.now() + millis)
  const value = await seal(60_000)
  const ask = async (cookie: string) => (await web.browser().send(operation, {}, { cookie })).status
  expect(await ask(`${name}=${value}`)).toBe(good)
  expect(await ask(`${name}=${value}; ${name}=${await seal(60_000)}`)).toBe(401)
  expect(await ask(`${name}=${value.slice(0, -1)}`)).toBe(401)
  expect(await ask(`${name}=%`)).toBe(401)
  expect(await ask(`${name}=${await seal(-1)}`)).toBe(401)
})
