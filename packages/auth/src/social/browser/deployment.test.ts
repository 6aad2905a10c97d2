import { afterAll, describe, expect, it } from 'vitest'
import { attempts } from '../../limits/schema.ts'
import { withKeyring } from '../../mfa/testing/test-second-factor.ts'
import { refused } from '../../test-answers.ts'
import { startTestAuth } from '../../testing.ts'
import { testBrowser } from './testing/test-browser.ts'
import { somebody, testProvider } from './testing/test-provider.ts'

const auth = await startTestAuth({
  env: {
    ...withKeyring(),
    SVC_RATE_LIMIT: 'on',
    SVC_AUTH_COOKIE_SECURE: 'on',
    NEXT_PUBLIC_SVC_APP_URL: 'https://app.example.com',
    SVC_AUTH_OAUTH_SUCCESS_URL: 'https://pages.example.com/signed-in?from=oauth',
    SVC_AUTH_OAUTH_ERROR_URL: 'https://pages.example.com/{error}?why={error}',
  },
})
afterAll(() => auth.stop())
const provider = testProvider('oauth-deployment')
const browser = () => testBrowser(auth, provider)

describe('over https', () => {
  it('cookies are Secure; one of the nonce keeps its name, the others cannot be planted from another host', async () => {
    const visitor = browser()
    const [nonce, bound] = (await visitor.follow()).headers.getSetCookie()
    expect(nonce).toMatch(
      /^svc_oauth_csrf_\d+=[\w-]{43}; Path=\/; Max-Age=600; SameSite=Lax; HttpOnly; Secure$/,
    )
    expect(bound).toMatch(
      /^__Host-svc_oauth_nonce_\d+=[\w-]{43}; Path=\/; Max-Age=600; SameSite=Lax; HttpOnly; Secure$/,
    )
    const [pending, cleared, boundCleared, ...more] = (
      await visitor.arrive(somebody())
    ).headers.getSetCookie()
    expect(more).toEqual([])
    expect(pending).toMatch(
      /^__Host-svc_oauth_pending=[\w-]{43}; Path=\/; Max-Age=300; SameSite=Lax; HttpOnly; Secure$/,
    )
    expect(cleared).toMatch(
      /^svc_oauth_csrf_\d+=; Path=\/; Max-Age=0; SameSite=Lax; HttpOnly; Secure$/,
    )
    expect(boundCleared).toMatch(/^__Host-svc_oauth_nonce_\d+=; Path=\/; Max-Age=0; .*Secure$/)
    const token = visitor.cookies.get('__Host-svc_oauth_pending') as string
    visitor.cookies.clear()
    visitor.cookies.set('svc_oauth_pending', token)
    expect(await visitor.finalize()).toMatchObject(refused(401, 'OAuthPendingSessionError'))
    visitor.cookies.set('__Host-svc_oauth_pending', token)
    expect(await visitor.finalize()).toMatchObject({ status: 200 })
  })

  it('a cookie that another host of the domain has planted makes no session', async () => {
    const attacker = browser()
    await attacker.follow()
    await attacker.arrive(somebody())
    const token = attacker.cookies.get('__Host-svc_oauth_pending') as string
    const victim = browser()
    // A browser takes this for no prefix, and Unicode for a space.
    victim.cookies.set('\u00a0__Host-svc_oauth_pending', token)
    expect(await victim.finalize()).toMatchObject(refused(401, 'OAuthPendingSessionError'))
    victim.cookies.clear()
    const twice = `${token}; __Host-svc_oauth_pending=${'A'.repeat(43)}`
    victim.cookies.set('__Host-svc_oauth_pending', twice)
    expect(await victim.finalize()).toMatchObject(refused(401, 'OAuthPendingSessionError'))
    victim.cookies.set('__Host-svc_oauth_pending', token)
    expect(await victim.finalize()).toMatchObject({ status: 200 })
  })

  it('a state counts in no browser where another host of the domain has planted its nonce (A-273)', async () => {
    const attacker = browser()
    await attacker.leave()
    const victim = browser()
    for (const [name, value] of attacker.cookies) {
      if (!name.startsWith('__Host-')) victim.cookies.set(name, value)
    }
    victim.authUrl = attacker.authUrl
    // The host page of the error has the word for its path.
    expect((await victim.arrive(somebody())).to.pathname).toBe('/cookie_missing')
    await victim.follow()
    for (const [name, value] of attacker.cookies) {
      if (!name.startsWith('__Host-')) victim.cookies.set(name, value)
    }
    victim.authUrl = attacker.authUrl
    expect((await victim.arrive(somebody())).to.pathname).toBe('/state_invalid')
    expect((await attacker.finalize()).status).toBe(401)
    expect((await attacker.arrive(somebody())).to.host).toBe('pages.example.com')
    expect((await attacker.finalize()).status).toBe(200)
  })

  it('a browser comes back to the app', async () => {
    const visitor = browser()
    await visitor.leave()
    const sent = new URL(visitor.authUrl).searchParams.get('redirectUri')
    expect(sent).toBe(`https://app.example.com/_auth/oauth/${provider.id}/callback`)
  })
})

describe('the pages after it', () => {
  it('are those of the variables, on whichever host', async () => {
    const visitor = browser()
    await visitor.leave()
    const { to } = await visitor.arrive(somebody())
    expect(to.href).toBe('https://pages.example.com/signed-in?from=oauth')
  })

  it('are told what went wrong in our own words, never in those of the address', async () => {
    const visitor = browser()
    await visitor.leave()
    for (const state of ['{error}', 'https://evil.example/', "'><script>", '$&']) {
      const { to } = await visitor.comeBack({ state, code: '{error}', error: '{error}' })
      expect(to.href).toBe('https://pages.example.com/state_invalid?why=state_invalid')
    }
  })
})

describe('the limit', () => {
  it('is thirty a minute from one address, for leaving, coming back and finishing together', async () => {
    await auth.auth.db.delete(attempts)
    const visitor = browser()
    for (let asked = 0; asked < 10; asked += 1) {
      expect((await visitor.leave()).status).toBe(200)
      expect((await visitor.comeBack({})).to.pathname).toBe('/state_invalid')
      expect((await visitor.finalize()).status).toBe(401)
    }
    const tooMany = refused(429, 'TooManyRequestsError')
    expect(await visitor.leave()).toMatchObject(tooMany)
    expect(await visitor.start()).toMatchObject(tooMany)
    expect(await visitor.finalize()).toMatchObject(tooMany)
    expect((await visitor.follow()).status).toBe(429)
    const { status, to } = await visitor.comeBack({})
    expect([status, to.pathname]).toEqual([302, '/unreachable'])
  })
})
