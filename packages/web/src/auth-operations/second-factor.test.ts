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

const { router, routeMap, seen } = testOperations({
  // Answers as every way in does to an account with a second factor.
  acceptInvitation: async ({ body }) => {
    const challenge = `challenge ${++challenges}`
    waiting.set(challenge, { registration: body, user: await web.api.createUser() })
    return { status: 202, body: { mfaRequired: true, challenge } }
  },
  mfaVerify: async ({ body: { challenge, code } }) => {
    const found = waiting.get(challenge)
    if (!found || code !== '123456') {
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
async function half() {
  const page = web.browser()
  const answer = await page.call('acceptInvitation', {})
  const { challenge } = await answer.json()
  return { page, answer, challenge, proof: { challenge, code: '123456' } }
}

describe('a sign-in that waits for the second factor', () => {
  it('sets the cookie of its key and nothing else', async () => {
    const { answer } = await half()
    expect(answer.status).toBe(202)
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^svc_mfa_pending=[^;]+; Path=\/; Max-Age=600; SameSite=Lax; HttpOnly$/,
      ),
    ])
  })

  it('signs nobody in, under whichever name its cookie comes back', async () => {
    const { page } = await half()
    const value = page.cookies.get('svc_mfa_pending') ?? ''
    expect((await page.call('getAuthSession')).status).toBe(401)
    for (const name of ['svc_session', 'svc_oauth_pending', '__Host-svc_session']) {
      const cookie = `${name}=${value}`
      expect((await web.browser().send('getAuthSession', undefined, { cookie })).status).toBe(401)
    }
  })

  it('leaves who is signed in already signed in, as themselves', async () => {
    const user = await web.api.createUser()
    const page = web.browser()
    await page.call('login', user)
    expect((await page.call('acceptInvitation', {})).status).toBe(202)
    const session = await (await page.call('getAuthSession')).json()
    expect(session).toMatchObject({ userId: user.userId })
  })

  it('is finished by its own key, once the factor is proved', async () => {
    const { page, challenge, proof } = await half()
    const answer = await page.call('mfaVerify', proof)
    expect(answer.status).toBe(200)
    expect([...page.cookies.keys()]).toEqual(['svc_session', 'svc_csrf'])
    const session = await (await page.call('getAuthSession')).json()
    const { user, registration } = waiting.get(challenge) ?? {}
    expect(session).toMatchObject({ userId: user?.userId, keyId: registration?.['keyId'] })
  })

  it('replaces the session that was there, whose key is revoked', async () => {
    const user = await web.api.createUser()
    const page = web.browser()
    await page.call('login', user)
    const { challenge } = await (await page.call('acceptInvitation', {})).json()
    await page.call('mfaVerify', { challenge, code: '123456' })
    const session = await (await page.call('getAuthSession')).json()
    expect(session.userId).not.toBe(user.userId)
    expect(await web.api.keysOf(user.userId)).toMatchObject([{ revokedAt: expect.any(Date) }])
  })

  it('goes on waiting after a wrong code', async () => {
    const { page, challenge, proof } = await half()
    const wrong = await page.call('mfaVerify', { challenge, code: '000000' })
    expect([wrong.status, wrong.headers.getSetCookie()]).toEqual([401, []])
    expect((await page.call('mfaVerify', proof)).status).toBe(200)
  })

  it('cannot be finished by another browser: what it does not hold is not even asked for', async () => {
    const { proof } = await half()
    seen.delete('mfaVerify')
    const answer = await web.browser().call('mfaVerify', proof)
    expect(answer.status).toBe(401)
    expect(await answer.json()).toMatchObject({ __type: 'UnauthorizedError' })
    expect([answer.headers.getSetCookie(), seen.has('mfaVerify')]).toEqual([[], false])
  })

  it('cannot be finished where another one waits', async () => {
    const { proof } = await half()
    const other = await half()
    const answer = await other.page.call('mfaVerify', proof)
    expect([answer.status, answer.headers.getSetCookie()]).toEqual([401, []])
    expect(await answer.text()).not.toMatch(/userId|keyId/)
    expect((await other.page.call('getAuthSession')).status).toBe(401)
  })

  it('waits for ten minutes', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const { page, proof } = await half()
    vi.setSystemTime(Date.now() + 600_000)
    expect((await page.call('mfaVerify', proof)).status).toBe(401)
  })
})
