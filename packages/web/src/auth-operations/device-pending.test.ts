import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { leaveNode, startTestWeb, type TestBrowser } from '../test-browser.ts'

beforeEach(leaveNode)
const web = await startTestWeb()
afterAll(web.api.stop)
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

/** A browser that shows a code, and what the API was sent for it. */
async function waiting(page: TestBrowser = web.browser()) {
  web.api.clock.set(new Date())
  const sent = vi.spyOn(globalThis, 'fetch')
  const answer = await page.call('startDeviceAuth', {})
  const [, init] = sent.mock.calls[0] ?? []
  sent.mockRestore()
  const registration = JSON.parse(init?.body as string) as Record<string, string>
  const text = await answer.clone().text()
  const shown = (await answer.json()) as Record<string, string>
  return { page, answer, text, shown, registration }
}

async function approve({ userCode }: Record<string, string>) {
  const user = await web.api.signedInUser()
  const { status } = await web.api.call('approveDeviceAuth', { userCode }, user.key)
  expect(status).toBe(200)
  return user
}

/** Asks once more: the API would not be asked twice within five seconds. */
function poll(page: TestBrowser, body: object = {}) {
  web.api.clock.advance('5s')
  return page.call('pollDeviceAuth', body)
}

describe('a browser that shows a code', () => {
  it('is given the code, by what to recognise it, and a cookie; not what it asks with (A-328)', async () => {
    const { answer, text, shown, registration } = await waiting()
    expect(answer.status).toBe(200)
    expect(shown).toEqual({
      userCode: expect.stringMatching(/^[2-9A-Z]{4}-[2-9A-Z]{4}$/),
      fingerprintPrefix: registration['fingerprint']?.slice(0, 8),
      expiresAtMillis: expect.any(Number),
      intervalMillis: 5_000,
    })
    expect(text).not.toMatch(/deviceCode|privateKey/)
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^svc_device_pending=[^;]+; Path=\/; Max-Age=(?:600|599)[\d.]*; SameSite=Lax; HttpOnly$/,
      ),
    ])
  })

  it('is shown to the approver under the prefix that it shows itself', async () => {
    const { shown } = await waiting()
    const { key } = await web.api.signedInUser()
    const { body } = await web.api.call('getDeviceAuthInfo', { userCode: shown['userCode'] }, key)
    const { fingerprintPrefix } = shown
    expect(body).toMatchObject({ fingerprintPrefix, platform: 'web', deviceName: 'Web browser' })
  })

  it('waits, and nothing is set or cleared by that', async () => {
    const { page } = await waiting()
    const answer = await poll(page)
    expect(await answer.json()).toEqual({ status: 'pending', intervalMillis: 5_000 })
    expect(answer.headers.getSetCookie()).toEqual([])
    expect((await page.call('getAuthSession')).status).toBe(401)
  })

  it('is signed in with its own key once it is approved', async () => {
    const { page, shown, registration } = await waiting()
    const { userId } = await approve(shown)
    const answer = await poll(page)
    expect(await answer.clone().json()).toMatchObject({ status: 'approved', userId })
    expect(await answer.text()).not.toMatch(/deviceCode|privateKey/)
    expect([...page.cookies.keys()]).toEqual(['svc_session', 'svc_csrf', 'svc_known'])
    const session = await (await page.call('getAuthSession')).json()
    expect(session).toMatchObject({ userId, keyId: registration['keyId'] })
    expect((await poll(page)).status).toBe(401)
  })

  it('replaces a session of another user, whose key is revoked', async () => {
    const before = await web.api.createUser()
    const page = web.browser()
    await page.call('login', before)
    const { shown } = await waiting(page)
    const { userId } = await approve(shown)
    expect((await poll(page)).status).toBe(200)
    expect(await (await page.call('getAuthSession')).json()).toMatchObject({ userId })
    expect(await web.api.keysOf(before.userId)).toMatchObject([{ revokedAt: expect.any(Date) }])
  })

  it('is told of a denial, and may go on as it was', async () => {
    const before = await web.api.createUser()
    const page = web.browser()
    await page.call('login', before)
    const { shown } = await waiting(page)
    const { key } = await web.api.signedInUser()
    await web.api.call('denyDeviceAuth', { userCode: shown['userCode'] }, key)
    const answer = await poll(page)
    expect(answer.status).toBe(403)
    expect(await answer.json()).toMatchObject({ __type: 'DeviceAuthDeniedError' })
    const session = await (await page.call('getAuthSession')).json()
    expect(session).toMatchObject({ userId: before.userId })
  })

  it('may let the answer wait for the decision', async () => {
    const { page, shown } = await waiting()
    const answer = poll(page, { waitMillis: 20_000 })
    const { userId } = await approve(shown)
    expect(await (await answer).json()).toMatchObject({ status: 'approved', userId })
  })
})

describe('a page that is reloaded', () => {
  const newCode = async (page: TestBrowser) => (await page.call('startDeviceAuth', {})).json()

  it('shows the code that is good already, and its approval signs in', async () => {
    const { page, shown } = await waiting()
    const sent = vi.spyOn(globalThis, 'fetch')
    const again = await page.call('startDeviceAuth', {})
    expect(await again.json()).toEqual(shown)
    expect([again.headers.get('cache-control'), again.headers.getSetCookie()]).toEqual([
      'no-store',
      [],
    ])
    expect(sent.mock.calls).toEqual([])
    const { userId } = await approve(shown)
    expect(await (await poll(page)).json()).toMatchObject({ status: 'approved', userId })
  })

  it('shows another one in the last minute of the first', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const { page, shown } = await waiting()
    vi.setSystemTime(Date.now() + 539_000)
    expect(await newCode(page)).toEqual(shown)
    vi.setSystemTime(Date.now() + 1_000)
    web.api.clock.set(new Date())
    expect((await newCode(page)).userCode).not.toBe(shown['userCode'])
  })

  it('shows another one once the first is denied, over or used, as soon as that is known', async () => {
    const deny = async ({ userCode }: Record<string, string>) => {
      const { key } = await web.api.signedInUser()
      await web.api.call('denyDeviceAuth', { userCode }, key)
    }
    const expire = async () => web.api.clock.advance('11m')
    const use = async (shown: Record<string, string>, page: TestBrowser) => {
      const cookie = `svc_device_pending=${page.cookies.get('svc_device_pending')}`
      await approve(shown)
      expect((await web.browser().send('pollDeviceAuth', {}, { cookie })).status).toBe(200)
    }
    const ends = [
      [deny, 403],
      [expire, 400],
      [use, 404],
    ] as const
    for (const [end, status] of ends) {
      const { page, shown } = await waiting()
      await end(shown, page)
      const answer = await poll(page)
      expect([answer.status, [...page.cookies.keys()]]).toEqual([status, []])
      web.api.clock.set(new Date())
      expect((await newCode(page)).userCode).not.toBe(shown['userCode'])
    }
  })

  it('keeps the code through a poll that decides nothing', async () => {
    const { page, shown } = await waiting()
    expect((await poll(page)).status).toBe(200)
    expect((await page.call('pollDeviceAuth', {})).status).toBe(429)
    expect(await newCode(page)).toEqual(shown)
  })
})

describe('the cookie of a browser that waits', () => {
  it('is the only thing that asks: a code in the body is written over', async () => {
    const [one, other] = [await waiting(), await waiting()]
    const sent = vi.spyOn(globalThis, 'fetch')
    await poll(one.page)
    const { deviceCode } = JSON.parse(sent.mock.calls[0]?.[1]?.body as string)
    await approve(one.shown)
    const answer = await poll(other.page, { deviceCode })
    expect(await answer.json()).toMatchObject({ status: 'pending' })
  })

  it.each(['', 'nonsense', 'e30.e30.e30.e30.e30'])(
    'must be one that this app has sealed: %j',
    async (value) => {
      const sent = vi.spyOn(globalThis, 'fetch')
      const cookie = value && `svc_device_pending=${value}`
      const answer = await web.browser().send('pollDeviceAuth', {}, { cookie })
      expect(answer.status).toBe(401)
      expect(await answer.json()).toMatchObject({ __type: 'UnauthorizedError' })
      expect([answer.headers.getSetCookie(), sent.mock.calls]).toEqual([[], []])
    },
  )

  it('is no session and no other pending sign-in, nor they it', async () => {
    const { page } = await waiting()
    await page.call('login', await web.api.createUser())
    const swapped = async (operation: string, name: string, as: string) => {
      const cookie = `${as}=${page.cookies.get(name) ?? ''}`
      return (await web.browser().send(operation, {}, { cookie })).status
    }
    expect(await swapped('listKeys', 'svc_device_pending', 'svc_session')).toBe(401)
    expect(await swapped('pollDeviceAuth', 'svc_session', 'svc_device_pending')).toBe(401)
  })

  it('beside another one, which another host may have planted, is not accepted', async () => {
    const [own, planted] = [await waiting(), await waiting()]
    await approve(planted.shown)
    const both = [own, planted].map(({ page }) => page.cookies.get('svc_device_pending'))
    for (const [first, second] of [both, both.toReversed()]) {
      const cookie = `svc_device_pending=${first}; svc_device_pending=${second}`
      const answer = await web.browser().send('pollDeviceAuth', {}, { cookie })
      expect([answer.status, answer.headers.getSetCookie()]).toEqual([401, []])
    }
  })

  it('in two browsers at once signs one of them in, and is worth nothing after', async () => {
    const { page, shown } = await waiting()
    const cookie = `svc_device_pending=${page.cookies.get('svc_device_pending')}`
    await approve(shown)
    const polls = Array.from({ length: 8 }, () =>
      web.browser().send('pollDeviceAuth', {}, { cookie }),
    )
    const answers = await Promise.all(polls)
    const statuses = answers.map(({ status }) => status).toSorted((one, two) => one - two)
    expect(statuses).toEqual([200, ...Array.from({ length: 7 }, () => 404)])
    const withSession = answers.filter(({ headers }) =>
      headers.getSetCookie().some((set) => set.startsWith('svc_session=')),
    )
    expect(withSession.map(({ status }) => status)).toEqual([200])
    expect((await poll(page)).status).toBe(404)
  })

  it('lives no longer than the code', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const { page, shown } = await waiting()
    await approve(shown)
    vi.setSystemTime(Date.now() + 600_000)
    expect((await page.call('pollDeviceAuth', {})).status).toBe(401)
  })
})
