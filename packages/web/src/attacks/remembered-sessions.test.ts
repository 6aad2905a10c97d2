import { createPortableKey } from '@svc/auth'
import { afterAll, describe, expect, it } from 'vitest'
import { Cookies } from '../session/cookies.ts'
import { Sealer } from '../session/sealer.ts'
import { WebSessions } from '../session/web-sessions.ts'
import { startTestWeb, testSecret } from '../test-browser.ts'

const web = await startTestWeb()
const { api } = web
afterAll(api.stop)

async function signedIn() {
  const user = await api.createUser()
  const page = web.browser()
  await page.call('login', user)
  const { keyId } = await (await page.call('getAuthSession')).json()
  return { user, page, keyId, cookie: page.cookieHeader() }
}

const ask = (cookie: string) =>
  web.proxy.GET(new Request('http://web.test/api/rpc/getAuthSession', { headers: { cookie } }))

describe('a session that the process has open', () => {
  it('answers nothing by itself once its key is revoked: 20 calls on either side', async () => {
    const { user, keyId, cookie } = await signedIn()
    const other = await api.signIn(user)
    const calls = () => Array.from({ length: 20 }, () => ask(cookie))
    const before = calls()
    await api.call('revokeKey', { keyId }, other)
    const after = await Promise.all(calls())
    await Promise.all(before)
    expect(new Set(after.map(({ status }) => status))).toEqual(new Set([401]))
  })

  it('is not found by a text that differs in what a decoder would overlook', async () => {
    const { page } = await signedIn()
    const value = page.cookies.get('svc_session') ?? ''
    expect((await ask(`svc_session=${value}`)).status).toBe(200)
    for (const other of [
      `${value}=`,
      `${value}%20`,
      `${value}, `,
      `${value}\u00a0`,
      `"${value}"`,
    ]) {
      expect([other, (await ask(`svc_session=${other}`)).status]).toEqual([other, 401])
    }
  })

  it('ends at logout, also for a stolen copy of its cookie', async () => {
    const { page, cookie } = await signedIn()
    const [ended, ...racing] = await Promise.all([
      page.call('logout'),
      ...Array.from({ length: 10 }, () => ask(cookie)),
    ])
    expect(ended?.status).toBe(204)
    // None of them may bring a session back into the browser that is being signed out.
    for (const answer of racing) {
      expect(answer.headers.getSetCookie().filter((each) => !each.includes('Max-Age=0'))).toEqual(
        [],
      )
    }
    expect((await ask(cookie)).status).toBe(401)
  })

  it('leaves one key of two rotations at once, which is the one in the browser', async () => {
    const { user, page, cookie } = await signedIn()
    await Promise.all([page.call('rotateKey', {}), page.call('rotateKey', {})])
    const active = (await api.keysOf(user.userId)).filter(({ revokedAt }) => revokedAt === null)
    const { keyId } = await (await page.call('getAuthSession')).json()
    expect(active.map((key) => key.keyId)).toEqual([keyId])
    expect((await ask(cookie)).status).toBe(401)
  })
})

describe('a flood of cookies', () => {
  const sealer = new Sealer(testSecret)
  const cookies = new Cookies({ isSecure: false })
  const ttlMillis = () => 3_600_000
  const distinct = async (count: number) => {
    const { registration: _, ...key } = await createPortableKey()
    const seal = () => sealer.seal('session', { userId: 'u', ...key }, Date.now() + 3_600_000)
    return Promise.all(Array.from({ length: count }, seal))
  }

  it('that are all good leaves as many open as a process keeps, and the newest of them', async () => {
    const sessions = new WebSessions({ sealer, cookies, ttlMillis })
    const values = await distinct(2100)
    const first = await sessions.open(`svc_session=${values[0]}`)
    for (const value of values.slice(1)) await sessions.open(`svc_session=${value}`)
    // What is still open is the same object.
    expect(await sessions.open(`svc_session=${values[0]}`)).not.toBe(first)
    const last = await sessions.open(`svc_session=${values.at(-1)}`)
    expect(await sessions.open(`svc_session=${values.at(-1)}`)).toBe(last)
  })

  it('that are all bad pushes no good session out', async () => {
    const sessions = new WebSessions({ sealer, cookies, ttlMillis })
    const [good = '', bad = ''] = await distinct(2)
    const opened = await sessions.open(`svc_session=${good}`)
    for (let index = 0; index < 2100; index++) {
      const tag = index.toString().padStart(21, 'A')
      expect(await sessions.open(`svc_session=${bad.slice(0, -22)}${tag}A`)).toBe(null)
    }
    expect(await sessions.open(`svc_session=${good}`)).toBe(opened)
  })
})
