import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { leaveNode, startTestWeb, testSecret } from '../test-browser.ts'
import { RetiredKeys } from './dead-keys.ts'
import { Sealer } from './sealer.ts'

beforeEach(leaveNode)
const web = await startTestWeb()
const { api } = web
afterAll(api.stop)
afterEach(() => {
  vi.restoreAllMocks()
  api.clock.set(new Date())
})

async function signedIn() {
  const user = await api.createUser()
  const page = web.browser()
  await page.call('login', user)
  const { keyId } = await (await page.call('getAuthSession')).json()
  return { user, page, keyId }
}

/** Revokes a key as another device of its owner does. */
async function revoke({ user, keyId }: Awaited<ReturnType<typeof signedIn>>) {
  await api.call('revokeKey', { keyId }, await api.signIn(user))
}

const cleared = [
  'svc_session=; Path=/; Max-Age=0; SameSite=Lax; HttpOnly',
  'svc_csrf=; Path=/; Max-Age=0; SameSite=Lax',
]

/** Holds what is sent to an operation, before it is sent or before its answer is read, until it is let go. */
function hold(path: string, when: 'before' | 'after') {
  const send = fetch
  const gate = Promise.withResolvers<void>()
  const arrived = Promise.withResolvers<void>()
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (request, init) => {
    const isHeld = new Request(request, init).url.includes(path)
    const answer = isHeld && when === 'after' ? await send(request, init) : undefined
    if (isHeld) {
      arrived.resolve()
      await gate.promise
    }
    return answer ?? send(request, init)
  })
  return { arrived: arrived.promise, letGo: gate.resolve }
}

describe('the cookies of a session', () => {
  it.each(['application/json', 'application/problem+json'])(
    'go when its key was revoked, however the refusal is written (%s)',
    async (accept) => {
      const person = await signedIn()
      await revoke(person)
      const answer = await person.page.call('getAuthSession', undefined, { accept })
      expect([answer.status, answer.headers.getSetCookie()]).toEqual([401, cleared])
    },
  )

  it('go when its key has expired', async () => {
    const { page } = await signedIn()
    api.clock.advance('91d')
    const answer = await page.call('getAuthSession')
    expect(await answer.json()).toMatchObject({ __type: 'KeyExpiredError' })
    expect(answer.headers.getSetCookie()).toEqual(cleared)
  })

  it('stay when its key is bound to a passkey and has run out: it signs for its renewal', async () => {
    const { page } = await signedIn()
    const sealer = new Sealer(testSecret)
    const opened = await sealer.open('session', page.cookies.get('svc_session') ?? '', Date.now())
    if (!opened) throw new Error('That is no session.')
    const bound = { ...opened.content, isBound: true } as const
    const value = await sealer.seal('session', bound, opened.expiresAtMillis)
    page.cookies.set('svc_session', value)
    api.clock.advance('91d')
    const answer = await page.call('getAuthSession')
    expect([answer.status, answer.headers.getSetCookie()]).toEqual([401, []])
  })

  it('stay when a password was wrong', async () => {
    const { page } = await signedIn()
    const body = { currentPassword: 'wrong', newPassword: 'another horse battery staple' }
    const answer = await page.call('changePassword', body)
    expect([answer.status, answer.headers.getSetCookie()]).toEqual([401, []])
    expect((await page.call('getAuthSession')).status).toBe(200)
  })

  it('stay when a clock is off', async () => {
    const { page } = await signedIn()
    api.clock.advance('10m')
    const answer = await page.call('getAuthSession')
    expect([answer.status, answer.headers.getSetCookie()]).toEqual([401, []])
  })

  it('stay while the API is down, by logout too: its key can still be revoked', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const { page } = await signedIn()
    const failing = vi.spyOn(globalThis, 'fetch')
    for (const name of ['getAuthSession', 'logout', 'rotateKey']) {
      failing.mockRejectedValueOnce(new Error('down'))
      const unreachable = await page.call(name, name === 'rotateKey' ? {} : undefined)
      expect([unreachable.status, unreachable.headers.getSetCookie()]).toEqual([503, []])
      failing.mockResolvedValueOnce(Response.json({ __type: 'UnauthorizedError' }, { status: 503 }))
      const broken = await page.call(name, name === 'rotateKey' ? {} : undefined)
      expect([broken.status, broken.headers.getSetCookie()]).toEqual([503, []])
    }
    expect((await page.call('getAuthSession')).status).toBe(200)
  })
})

describe('an answer that comes late', () => {
  it('does not end the session that has replaced the one it was for', async () => {
    const { page } = await signedIn()
    const { arrived, letGo } = hold('/session', 'before')
    const late = page.call('getAuthSession')
    await arrived
    expect((await page.call('rotateKey', {})).status).toBe(200)
    letGo()
    const answer = await late
    expect([answer.status, answer.headers.getSetCookie()]).toEqual([401, []])
    expect((await page.call('getAuthSession')).status).toBe(200)
  })

  it('does not end it when it comes before the one that replaces it', async () => {
    const { page } = await signedIn()
    const { arrived, letGo } = hold('/rotate', 'after')
    const rotated = page.call('rotateKey', {})
    await arrived
    const answer = await page.call('getAuthSession')
    expect([answer.status, answer.headers.getSetCookie()]).toEqual([401, []])
    letGo()
    expect((await rotated).status).toBe(200)
    expect((await page.call('getAuthSession')).status).toBe(200)
  })

  it('does not end it when two replace it at once, of which one is refused', async () => {
    const { page } = await signedIn()
    const answers = await Promise.all([page.call('rotateKey', {}), page.call('rotateKey', {})])
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 401]))
    expect((await page.call('getAuthSession')).status).toBe(200)
  })

  it.each(['after a logout', 'over the session'])(
    'does not end a session that was begun since, %s',
    async (how) => {
      const { page } = await signedIn()
      const { arrived, letGo } = hold('/session', 'before')
      const late = page.call('getAuthSession')
      await arrived
      if (how === 'after a logout') expect((await page.call('logout')).status).toBe(204)
      const next = await api.createUser()
      expect((await page.call('login', next)).status).toBe(200)
      letGo()
      const answer = await late
      expect([answer.status, answer.headers.getSetCookie()]).toEqual([401, []])
      const session = await (await page.call('getAuthSession')).json()
      expect(session).toMatchObject({ email: next.email })
    },
  )

  it('does not bring the session back that has ended', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const { page } = await signedIn()
    vi.setSystemTime(Date.now() + 6 * 24 * 3_600_000)
    api.clock.set(new Date())
    const { arrived, letGo } = hold('/session', 'after')
    const late = page.call('getAuthSession')
    await arrived
    expect((await page.call('logout')).status).toBe(204)
    letGo()
    // It would have been renewed by now.
    const answer = await late
    expect([answer.status, answer.headers.getSetCookie()]).toEqual([200, []])
    vi.useRealTimers()
  })
})

describe('what is remembered of keys that were replaced', () => {
  it('is a minute old at most, and 10,000 keys', () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const retired = new RetiredKeys()
    retired.add('first')
    expect([retired.has('first'), retired.has('other')]).toEqual([true, false])
    for (let key = 1; key < 10_000; key++) retired.add(`key ${key}`)
    expect(retired.has('first')).toBe(true)
    retired.add('one more')
    expect([retired.has('first'), retired.has('key 1')]).toEqual([false, true])
    vi.setSystemTime(Date.now() + 60_000)
    expect(retired.has('one more')).toBe(false)
    vi.useRealTimers()
  })
})
