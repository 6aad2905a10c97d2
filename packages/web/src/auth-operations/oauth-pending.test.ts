import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { startTestWeb } from '../test-browser.ts'
import { testOperations } from '../test-operations.ts'

type Body = Record<string, string>

/** What a provider's state carries, and which user has come back with it. */
let state: Body = {}
let user: Body = {}

const authUrl = async ({ body }: { body: Body }) => {
  if (body['returnUrl'] === 'refused') return { status: 400, body: { __type: 'ValidationError' } }
  state = body
  return { body: { authUrl: 'https://provider.test/authorize' } }
}

const { router, routeMap, seen } = testOperations({
  getGoogleOAuthUrl: authUrl,
  getProviderOAuthUrl: authUrl,
  linkSocialAccount: authUrl,
  finalize: async ({ body }) => {
    if (body?.returnUrl === 'refused') return { status: 401, body: { __type: 'UnauthorizedError' } }
    if (body?.returnUrl === 'factor') {
      const expiresAtMillis = Date.now() + 60_000
      return {
        status: 202,
        body: { mfaRequired: true, challenge: { secret: 'challenge', expiresAtMillis } },
      }
    }
    const key = body?.pendingToken ? keyOf(body) : keyOf(state)
    const result = await web.api.call('login', { ...key, ...user })
    return { body: { ...result.body, returnUrl: '/next' } }
  },
})
const web = await startTestWeb({ router, routeMap })
afterAll(web.api.stop)
afterEach(() => {
  vi.useRealTimers()
})

const keyOf = ({ nonce: _, returnUrl: _url, pendingToken: _token, ...key }: Body) => key

/** A browser that has set out for a provider, whose user comes back as a user of ours. */
async function away(operation = 'getGoogleOAuthUrl', env?: Record<string, string>) {
  user = await web.api.createUser()
  const page = web.browser(env)
  const answer = await page.call(operation, {
    returnUrl: '/next',
    keyId: 'theirs-0000',
    nonce: 'n',
  })
  return { page, answer, userId: user['userId'] }
}

describe.each(['getGoogleOAuthUrl', 'getProviderOAuthUrl'])('%s', (operation) => {
  it('sends the public half of a new key and a nonce, and keeps what belongs to them in cookies', async () => {
    const { answer } = await away(operation)
    expect(await answer.json()).toEqual({ authUrl: 'https://provider.test/authorize' })
    expect(state).toMatchObject({ returnUrl: '/next', algorithm: 'ES256', platform: 'web' })
    expect(state['nonce']).toMatch(/^[\w-]{43}$/)
    expect(state['keyId']).toMatch(/^dk_[0-9a-f]{32}$/)
    expect(state).not.toHaveProperty('privateKey')
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^svc_oauth_pending=[\w.-]+; Path=\/; Max-Age=600; SameSite=Lax; HttpOnly$/,
      ),
      `svc_oauth_csrf_80=${state['nonce']}; Path=/; Max-Age=600; SameSite=Lax; HttpOnly`,
    ])
  })

  it('sets no cookie where the API refuses', async () => {
    const answer = await web.browser().call(operation, { returnUrl: 'refused' })
    expect([answer.status, answer.headers.getSetCookie()]).toEqual([400, []])
  })

  it('gives another key and another nonce each time', async () => {
    await away(operation)
    const { keyId, nonce } = state
    await away(operation)
    expect([keyId, nonce]).not.toContain(state['keyId'])
    expect([keyId, nonce]).not.toContain(state['nonce'])
  })
})

describe('the nonce’s cookie', () => {
  it.each([
    [{ NEXT_PUBLIC_SVC_APP_URL: 'http://localhost:3790' }, 'svc_oauth_csrf_3790'],
    [{ SVC_APP_URL: 'https://app.example.com' }, 'svc_oauth_csrf_443'],
    [
      { SVC_APP_URL: 'https://a.example.com', NEXT_PUBLIC_SVC_APP_URL: 'http://b.test:81' },
      'svc_oauth_csrf_81',
    ],
  ])('is named after the port of the app’s own address: %j', async (env, name) => {
    const { page } = await away('getGoogleOAuthUrl', env)
    expect([...page.cookies.keys()]).toEqual(['svc_oauth_pending', name])
  })

  it('keeps its name over https, where the API reads it, and comes once more, where no other host can plant one', async () => {
    const { answer } = await away('getGoogleOAuthUrl', { SVC_AUTH_COOKIE_SECURE: 'on' })
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^__Host-svc_oauth_pending=.*; HttpOnly; Secure$/),
      expect.stringMatching(/^svc_oauth_csrf_80=.*; SameSite=Lax; HttpOnly; Secure$/),
      `__Host-svc_oauth_nonce_80=${state['nonce']}; Path=/; Max-Age=600; SameSite=Lax; HttpOnly; Secure`,
    ])
  })
})

describe('finalize', () => {
  it('signs in with the key that was sent ahead, and clears both cookies', async () => {
    const { page, userId } = await away()
    const answer = await page.call('finalize', {})
    expect(await answer.json()).toMatchObject({ mfaRequired: false, returnUrl: '/next' })
    expect([...page.cookies.keys()]).toEqual(['svc_session', 'svc_csrf', 'svc_known'])
    const session = await (await page.call('getAuthSession')).json()
    expect(session).toMatchObject({ userId, keyId: state['keyId'] })
  })

  it('is signed by that key, so that the API knows whose it is', async () => {
    const { page } = await away()
    await page.call('finalize', {})
    const [header = ''] = String(seen.get('finalize')?.headers['authorization']).split('.')
    const jwt = Buffer.from(header.replace('Bearer ', ''), 'base64url').toString()
    expect(JSON.parse(jwt)).toMatchObject({ kid: state['keyId'] })
  })

  it('waits for the second factor with that key where there is one', async () => {
    const { page } = await away()
    const answer = await page.call('finalize', { returnUrl: 'factor' })
    expect([answer.status, await answer.text()]).toEqual([202, expect.not.stringMatching('secret')])
    expect([...page.cookies.keys()]).toEqual(['svc_mfa_pending'])
  })

  it('is refused in a browser that has not set out, or ten minutes later', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const { page } = await away()
    seen.delete('finalize')
    expect((await web.browser().call('finalize', {})).status).toBe(401)
    vi.setSystemTime(Date.now() + 600_000)
    expect((await page.call('finalize', {})).status).toBe(401)
    expect([seen.has('finalize'), page.cookies.has('svc_session')]).toEqual([false, false])
  })

  it('is not given a token or a key of the page’s', async () => {
    const { page } = await away()
    await page.call('finalize', { pendingToken: 'x'.repeat(43) })
    expect(seen.get('finalize')?.body ?? {}).not.toHaveProperty('pendingToken')
  })

  it('replaces the session that was there, and leaves it where it is refused', async () => {
    const { page, userId } = await away()
    const before = await web.api.createUser()
    await page.call('login', before)
    const refused = await page.call('finalize', { returnUrl: 'refused' })
    expect([refused.status, refused.headers.getSetCookie()]).toEqual([401, []])
    expect(await (await page.call('getAuthSession')).json()).toMatchObject({
      userId: before.userId,
    })
    await page.call('finalize', {})
    expect(await (await page.call('getAuthSession')).json()).toMatchObject({ userId })
    expect(await web.api.keysOf(before.userId)).toMatchObject([{ revokedAt: expect.any(Date) }])
  })
})

const token = 'Tn4_tokenof-43-characters-that-nobody-guess'

/** A browser that has followed a plain link to a provider, and that the callback has given a token. */
async function arrived(env?: Record<string, string>) {
  user = await web.api.createUser()
  const page = web.browser(env)
  page.cookies.set(`${env ? '__Host-' : ''}svc_oauth_pending`, token)
  return { page, userId: user['userId'] }
}

describe('finalize after a plain link', () => {
  it.each([[undefined], [{ SVC_AUTH_COOKIE_SECURE: 'on' }]])(
    'gives the token of the callback and a new key: %j',
    async (env) => {
      const { page, userId } = await arrived(env)
      const answer = await page.call('finalize', { keyId: 'theirs-0000', pendingToken: 'theirs' })
      expect(answer.status).toBe(200)
      const { body, headers } = seen.get('finalize') ?? {}
      expect(body).toMatchObject({ pendingToken: token, algorithm: 'ES256', platform: 'web' })
      expect(body.keyId).toMatch(/^dk_[0-9a-f]{32}$/)
      expect(headers).not.toHaveProperty('authorization')
      const session = await (await page.call('getAuthSession')).json()
      expect(session).toMatchObject({ userId, keyId: body.keyId })
      expect([...page.cookies.keys()].filter((name) => name.includes('oauth'))).toEqual([])
    },
  )

  it('waits for the second factor with that key where there is one', async () => {
    const { page } = await arrived()
    expect((await page.call('finalize', { returnUrl: 'factor' })).status).toBe(202)
    expect([...page.cookies.keys()]).toEqual(['svc_mfa_pending'])
  })

  it('replaces no session: another site may have planted the link', async () => {
    const { page } = await arrived()
    const before = await web.api.createUser()
    await page.call('login', before)
    seen.delete('finalize')
    const refused = await page.call('finalize', {})
    expect(refused.status).toBe(409)
    expect(await refused.json()).toMatchObject({
      error: { code: 'ConflictError', message: 'You are signed in already. Sign out first.' },
    })
    expect([seen.has('finalize'), refused.headers.getSetCookie()]).toEqual([false, []])
    expect(await (await page.call('getAuthSession')).json()).toMatchObject({
      userId: before.userId,
    })
  })
})

describe('linkSocialAccount', () => {
  it('sends a nonce and no key, signed by the session, and keeps the nonce', async () => {
    const page = web.browser()
    await page.call('login', await web.api.createUser())
    const { keyId } = await (await page.call('getAuthSession')).json()
    const answer = await page.call('linkSocialAccount', { returnUrl: '/account', nonce: 'n' })
    expect(state).toEqual({ returnUrl: '/account', nonce: expect.stringMatching(/^[\w-]{43}$/) })
    const { headers } = seen.get('linkSocialAccount') ?? {}
    const [header = ''] = String(headers?.['authorization']).replace('Bearer ', '').split('.')
    expect(JSON.parse(Buffer.from(header, 'base64url').toString())).toMatchObject({ kid: keyId })
    expect(answer.headers.getSetCookie()).toEqual([
      `svc_oauth_csrf_80=${state['nonce']}; Path=/; Max-Age=600; SameSite=Lax; HttpOnly`,
    ])
  })

  it('sets no cookie where the API refuses', async () => {
    const page = web.browser()
    await page.call('login', await web.api.createUser())
    const answer = await page.call('linkSocialAccount', { returnUrl: 'refused' })
    expect([answer.status, answer.headers.getSetCookie()]).toEqual([400, []])
  })
})
