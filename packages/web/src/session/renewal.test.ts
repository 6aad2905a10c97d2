import { afterAll, describe, expect, it } from 'vitest'
import { configureAuth } from '../proxy.ts'
import { startTestWeb } from '../test-browser.ts'
import { stopTime } from '../test-time.ts'

const web = await startTestWeb()
afterAll(web.api.stop)

const hour = 3_600_000
const day = 24 * hour

const pass = stopTime(web)

async function signedIn(webEnv?: Record<string, string>) {
  const page = web.browser(webEnv)
  const answer = await page.call('login', await web.api.createUser())
  return { page, answer }
}

const maxAges = (answer: Response) =>
  answer.headers.getSetCookie().map((cookie) => /^(\w+)=.*; Max-Age=(\d+)/.exec(cookie)?.slice(1))

const week = String((7 * day) / 1000)
const renewed = [
  ['svc_session', week],
  ['svc_csrf', week],
]

describe('a session', () => {
  it('is renewed, with its token, when less than a quarter of its life is left (A-335)', async () => {
    const { page } = await signedIn()
    pass(5 * day + 5 * hour)
    expect(maxAges(await page.call('getAuthSession'))).toEqual([])
    pass(2 * hour)
    expect(maxAges(await page.call('getAuthSession'))).toEqual(renewed)
    expect(maxAges(await page.call('getAuthSession'))).toEqual([])
  })

  it('lives on when it is renewed, and the older cookie does not (A-326)', async () => {
    const { page } = await signedIn()
    const older = page.cookieHeader()
    pass(6 * day)
    await page.call('getAuthSession')
    pass(day - 1000)
    const ask = (cookie: string) => web.browser().send('getAuthSession', undefined, { cookie })
    expect((await ask(older)).status).toBe(200)
    pass(1000)
    expect((await ask(older)).status).toBe(401)
    expect((await page.call('getAuthSession')).status).toBe(200)
  })

  it('is over when its user does not come back in time (A-326)', async () => {
    const { page } = await signedIn()
    pass(7 * day)
    expect((await page.call('getAuthSession')).status).toBe(401)
  })

  it('lives as long as the variable says, and as configureAuth says where that does', async () => {
    const env = { SVC_AUTH_SESSION_TTL: '45m' }
    expect(maxAges((await signedIn(env)).answer)[0]).toEqual(['svc_session', '2700'])
    configureAuth({ sessionTtl: '2h' })
    const { page, answer } = await signedIn(env)
    expect(maxAges(answer)).toEqual([
      ['svc_session', '7200'],
      ['svc_csrf', '7200'],
      ['svc_known', `${365 * 86_400}`],
    ])
    pass(hour)
    expect(maxAges(await page.call('getAuthSession'))).toEqual([])
    pass(hour - 1000)
    expect(maxAges(await page.call('getAuthSession'))).toHaveLength(2)
    pass(1000)
    expect((await page.call('getAuthSession')).status).toBe(200)
    pass(2 * hour)
    expect((await page.call('getAuthSession')).status).toBe(401)
    configureAuth({ sessionTtl: '7d' })
  })

  it('has no life that is none', () => {
    for (const sessionTtl of ['', '7', '-1d', 'forever']) {
      expect(() => configureAuth({ sessionTtl })).toThrow(TypeError)
    }
  })
})
