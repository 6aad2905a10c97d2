import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { startTestWeb } from '../test-browser.ts'
import { testOperations } from '../test-operations.ts'

interface Waiting {
  registration: Record<string, string>
  user: Awaited<ReturnType<typeof web.api.createUser>>
}

/** Sign-ins that wait for the second factor, by their challenge. */
const waiting = new Map<string, Waiting>()
let challenges = 0

const code = '123456'

/** How long the API waits: another time than any default. */
const lifeMillis = 7 * 60_000

/** Answers as every way to sign in does to an account with a second factor. */
async function wait({ body }: { body: Record<string, string> }) {
  const secret = `challenge ${++challenges}`
  waiting.set(secret, { registration: body, user: await web.api.createUser() })
  const challenge = { secret, expiresAtMillis: Date.now() + lifeMillis }
  return { status: 202, body: { mfaRequired: true, challenge } }
}

const { router, routeMap, seen } = testOperations({
  acceptInvitation: wait,
  passkeyLoginVerify: wait,
  pollDeviceAuth: wait,
  mfaVerifyOptions: ({ body: { challenge } }) =>
    waiting.has(challenge)
      ? { body: { challenge: 'for an authenticator', rpId: 'web.test' } }
      : { status: 401, body: { __type: 'MfaVerificationFailedError' } },
  mfaVerify: async ({ body: { challenge, code: given } }) => {
    const found = waiting.get(challenge)
    if (!found || given !== code) {
      return { status: 401, body: { __type: 'MfaVerificationFailedError' } }
    }
    const { user, registration } = found
    const answer = await web.api.call('login', { ...registration, ...user })
    return { body: { ...answer.body, keyId: registration['keyId'] } }
  },
})
const web = await startTestWeb({ router, routeMap })
afterAll(web.api.stop)
afterEach(() => {
  vi.useRealTimers()
})

/** A browser in which a sign-in waits. */
async function half(page = web.browser()) {
  const answer = await page.call('acceptInvitation', {})
  return { page, answer, secret: `challenge ${challenges}` }
}

/** What has reached the API as the body of an operation. */
const sent = (name: string) => seen.get(name)?.body

describe('a sign-in that waits for the second factor', () => {
  it('sets the cookie of its key and nothing else', async () => {
    const { answer } = await half()
    expect(answer.status).toBe(202)
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^svc_mfa_pending=[^;]+; Path=\/; Max-Age=(?:420|419); SameSite=Lax; HttpOnly$/,
      ),
    ])
  })

  it('tells the browser until when it waits, and not what it is finished with', async () => {
    const { answer, secret } = await half()
    expect(await answer.clone().json()).toEqual({
      mfaRequired: true,
      challenge: { expiresAtMillis: expect.any(Number) },
    })
    expect(JSON.stringify([...answer.headers]) + (await answer.text())).not.toContain(secret)
  })

  it.each(['passkeyLoginVerify', 'pollDeviceAuth'])('is kept so after %s too', async (name) => {
    const page = web.browser()
    if (name === 'pollDeviceAuth') await page.call('startDeviceAuth', {})
    const answer = await page.call(name, {})
    expect([answer.status, await answer.text()]).toEqual([202, expect.not.stringMatching('secret')])
    // What waited for the approval is over.
    expect([...page.cookies.keys()]).toEqual(['svc_mfa_pending'])
  })

  it('is no session, under whichever name its cookie comes back', async () => {
    const { page } = await half()
    const value = page.cookies.get('svc_mfa_pending') ?? ''
    expect((await page.call('getAuthSession')).status).toBe(401)
    for (const name of ['svc_session', 'svc_oauth_pending', '__Host-svc_session']) {
      const cookie = `${name}=${value}`
      expect((await web.browser().send('getAuthSession', undefined, { cookie })).status).toBe(401)
    }
  })

  it('leaves a signed-in user signed in, as themselves', async () => {
    const user = await web.api.createUser()
    const page = web.browser()
    await page.call('login', user)
    expect((await page.call('acceptInvitation', {})).status).toBe(202)
    const session = await (await page.call('getAuthSession')).json()
    expect(session).toMatchObject({ userId: user.userId })
  })

  it('is finished by its own key, once the factor is proved', async () => {
    const { page, secret } = await half()
    const answer = await page.call('mfaVerify', { code })
    expect(answer.status).toBe(200)
    expect(sent('mfaVerify')).toEqual({ code, challenge: secret })
    expect([...page.cookies.keys()]).toEqual(['svc_session', 'svc_csrf', 'svc_known'])
    const session = await (await page.call('getAuthSession')).json()
    const { user, registration } = waiting.get(secret) ?? {}
    expect(session).toMatchObject({ userId: user?.userId, keyId: registration?.['keyId'] })
  })

  it('replaces the session that was there, whose key is revoked', async () => {
    const user = await web.api.createUser()
    const page = web.browser()
    await page.call('login', user)
    await half(page)
    await page.call('mfaVerify', { code })
    const session = await (await page.call('getAuthSession')).json()
    expect(session.userId).not.toBe(user.userId)
    expect(await web.api.keysOf(user.userId)).toMatchObject([{ revokedAt: expect.any(Date) }])
  })

  it('goes on waiting after a wrong code', async () => {
    const { page } = await half()
    const wrong = await page.call('mfaVerify', { code: '000000' })
    expect([wrong.status, wrong.headers.getSetCookie()]).toEqual([401, []])
    expect((await page.call('mfaVerify', { code })).status).toBe(200)
  })

  it('is asked of a passkey by its own challenge', async () => {
    const { page, secret } = await half()
    const answer = await page.call('mfaVerifyOptions', { challenge: 'of somebody else' })
    expect(await answer.json()).toEqual({ challenge: 'for an authenticator', rpId: 'web.test' })
    expect(sent('mfaVerifyOptions')).toEqual({ challenge: secret })
  })

  it('gives way to the next one in the same browser', async () => {
    const { page } = await half()
    const { secret } = await half(page)
    expect((await page.call('mfaVerify', { code })).status).toBe(200)
    expect(sent('mfaVerify')).toMatchObject({ challenge: secret })
  })

  it.each(['mfaVerify', 'mfaVerifyOptions'])(
    'cannot be finished by another browser: what it does not hold is not even asked for (%s)',
    async (name) => {
      const { secret } = await half()
      seen.clear()
      const answer = await web.browser().call(name, { challenge: secret, code })
      expect(answer.status).toBe(401)
      expect(await answer.json()).toMatchObject({ __type: 'UnauthorizedError' })
      expect([answer.headers.getSetCookie(), seen.has(name)]).toEqual([[], false])
    },
  )

  it('is finished alone where another one is meant: a challenge that a browser names counts for nothing', async () => {
    const theirs = await half()
    const { page, secret } = await half()
    const answer = await page.call('mfaVerify', { challenge: theirs.secret, code })
    expect([answer.status, sent('mfaVerify')]).toEqual([200, { code, challenge: secret }])
    const session = await (await page.call('getAuthSession')).json()
    expect(session).toMatchObject({ userId: waiting.get(secret)?.user.userId })
  })

  it('makes no session where the API has let another key sign', async () => {
    const { page, secret } = await half()
    const other = await half()
    waiting.set(secret, waiting.get(other.secret) as Waiting)
    const answer = await page.call('mfaVerify', { code })
    expect([answer.status, answer.headers.getSetCookie()]).toEqual([401, []])
    expect(await answer.text()).not.toMatch(/userId|keyId/)
    expect((await page.call('getAuthSession')).status).toBe(401)
  })

  it('waits for as long as the API does', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const { page } = await half()
    vi.setSystemTime(Date.now() + lifeMillis)
    seen.clear()
    expect((await page.call('mfaVerify', { code })).status).toBe(401)
    expect(seen.size).toBe(0)
  })
})
