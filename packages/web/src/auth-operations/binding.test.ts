import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { startTestWeb, type TestBrowser } from '../test-browser.ts'
import { testOperations } from '../test-operations.ts'

let waiting: Record<string, string> = {}

async function signIn(given: Record<string, string>) {
  const { body } = await web.api.call('login', given)
  return { body: { ...body, keyId: given['keyId'] } }
}

const { router, routeMap, seen } = testOperations({
  setSessionBinding: ({ body: { mode } }) =>
    mode === 'refused'
      ? { status: 401, body: { __type: 'PasskeyVerificationError' } }
      : { body: { mode } },
  sessionRenewOptions: () => ({ body: { challenge: 'for an authenticator' } }),
  sessionRenewVerify: async ({ body: { email, password, expiredKeyId: _, response, ...key } }) => {
    if (response === 'refused')
      return { status: 401, body: { __type: 'SessionRenewalRefusedError' } }
    if (response === 'factor') {
      const challenge = { secret: 'challenge', expiresAtMillis: Date.now() + 60_000 }
      waiting = { ...key, email, password }
      return { status: 202, body: { mfaRequired: true, challenge } }
    }
    return signIn({ ...key, email, password })
  },
  mfaVerify: () => signIn(waiting),
})
const web = await startTestWeb({ router, routeMap })
afterAll(web.api.stop)
afterEach(() => web.api.clock.set(new Date()))

async function signedIn() {
  const user = await web.api.createUser()
  const page = web.browser()
  await page.call('login', user)
  return { user, page }
}

/** Whether the session is still there, to be renewed, when its key has run out. */
async function outlivesItsKey(page: TestBrowser) {
  web.api.clock.advance('91d')
  expect((await page.call('getAuthSession')).status).toBe(401)
  web.api.clock.set(new Date())
  return page.cookies.has('svc_session')
}

it('a session whose key is bound to a passkey is still there when the key has run out', async () => {
  const { page } = await signedIn()
  expect((await page.call('setSessionBinding', { mode: 'passkey' })).status).toBe(200)
  expect((await page.call('getAuthSession')).status).toBe(200)
  expect(await outlivesItsKey(page)).toBe(true)
})

it('a session that is no longer bound, or was refused to be, is over when the key has expired', async () => {
  const { page } = await signedIn()
  await page.call('setSessionBinding', { mode: 'passkey' })
  await page.call('setSessionBinding', { mode: 'none' })
  expect(await outlivesItsKey(page)).toBe(false)

  const other = await signedIn()
  const refused = await other.page.call('setSessionBinding', { mode: 'refused' })
  expect(refused.headers.getSetCookie()).toEqual([])
  expect(await outlivesItsKey(other.page)).toBe(false)
})

it('a bound session ends by signing out, though its key has run out and signs nothing', async () => {
  const { page } = await signedIn()
  await page.call('setSessionBinding', { mode: 'passkey' })
  web.api.clock.advance('91d')
  expect((await page.call('logout')).status).toBe(204)
  expect(page.cookies.has('svc_session')).toBe(false)
})

it('a session stays bound when it is renewed, and when its key is rotated', async () => {
  const { user, page } = await signedIn()
  await page.call('setSessionBinding', { mode: 'passkey' })
  expect((await page.call('sessionRenewVerify', user)).status).toBe(200)
  expect((await page.call('rotateKey', {})).status).toBe(200)
  expect(await outlivesItsKey(page)).toBe(true)
})

describe('a renewal', () => {
  async function bound() {
    const { user, page } = await signedIn()
    await page.call('setSessionBinding', { mode: 'passkey' })
    const { keyId } = await (await page.call('getAuthSession')).json()
    return { user, page, keyId }
  }
  const keyOf = (name: string) => {
    const [header = ''] = String(seen.get(name)?.headers['authorization']).split('.')
    return JSON.parse(Buffer.from(header.replace('Bearer ', ''), 'base64url').toString()).kid
  }

  it.each(['sessionRenewOptions', 'sessionRenewVerify'])(
    'is of the session’s own key, which signs for it, even if the page names another (%s)',
    async (name) => {
      const { user, page, keyId } = await bound()
      web.api.clock.advance('91d')
      await page.call(name, { ...user, expiredKeyId: 'another-key' })
      expect([seen.get(name)?.body.expiredKeyId, keyOf(name)]).toEqual([keyId, keyId])
    },
  )

  it.each(['sessionRenewOptions', 'sessionRenewVerify'])(
    'is not asked for where there is no session (%s)',
    async (name) => {
      seen.clear()
      const answer = await web.browser().call(name, { expiredKeyId: 'another-key' })
      expect([answer.status, answer.headers.getSetCookie(), seen.size]).toEqual([401, [], 0])
    },
  )

  it('sets another session and another token against forgery (A-334)', async () => {
    const { user, page, keyId } = await bound()
    const before = page.cookies.get('svc_csrf')
    const answer = await page.call('sessionRenewVerify', user)
    expect(answer.headers.getSetCookie()).toHaveLength(3)
    expect(page.cookies.get('svc_csrf')).not.toBe(before)
    const session = await (await page.call('getAuthSession')).json()
    expect(session.userId).toBe(user.userId)
    expect(session.keyId).not.toBe(keyId)
  })

  it('that waits for the second factor has ended the session, and goes on bound', async () => {
    const { user, page } = await bound()
    const answer = await page.call('sessionRenewVerify', { ...user, response: 'factor' })
    expect([answer.status, [...page.cookies.keys()]]).toEqual([
      202,
      ['svc_known', 'svc_mfa_pending'],
    ])
    expect((await page.call('mfaVerify', { code: '123456' })).status).toBe(200)
    expect([...page.cookies.keys()]).toEqual(['svc_known', 'svc_session', 'svc_csrf'])
    expect(await outlivesItsKey(page)).toBe(true)
  })

  it('that is refused leaves a session whose key has run out', async () => {
    const { page } = await bound()
    web.api.clock.advance('91d')
    const answer = await page.call('sessionRenewVerify', { response: 'refused' })
    expect([answer.status, page.cookies.has('svc_session')]).toEqual([401, true])
  })

  it('that is refused ends a session whose key was revoked', async () => {
    const { user, page, keyId } = await bound()
    await web.api.call('revokeKey', { keyId }, await web.api.signIn(user))
    const answer = await page.call('sessionRenewVerify', { response: 'refused' })
    expect([answer.status, page.cookies.has('svc_session')]).toEqual([401, false])
  })
})
