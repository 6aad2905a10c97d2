import { clientAddress, defineRouter, defineServer, HttpError, route, t } from '@svc/core'
import { startTestServer } from '@svc/core/testing'
import { afterAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { createRevokeAllPage, type RevokeAllPageOptions } from '../next.ts'
import { testSecret } from '../test-browser.ts'

class RevokeAllLinkError extends HttpError {
  readonly name = 'RevokeAllLinkError'
  readonly status = 404
}

/** The links that are good, with how many devices each would sign out. */
const links = new Map<string, number>()
const asked: string[] = []
const addresses: unknown[] = []
const expiresAt = '2026-11-21T14:32:00.000Z'
const link = { body: t.Object({ token: t.String({ minLength: 1, maxLength: 100 }) }) }

function countOf(token: string) {
  const count = links.get(token)
  if (count === undefined) throw new RevokeAllLinkError()
  return count
}

const confirmRevokeAllLink = route
  .post('/_auth/keys/revoke-all/confirm')
  .input(link)
  .handler(async (c) => {
    const { token } = (await c.data()).body
    asked.push(`confirm ${token}`)
    addresses.push(clientAddress(c.raw))
    return { expiresAt, activeKeyCount: countOf(token) }
  })

const consumeRevokeAllLink = route
  .post('/_auth/keys/revoke-all/consume')
  .input(link)
  .handler(async (c) => {
    const { token } = (await c.data()).body
    asked.push(`consume ${token}`)
    const revokedCount = countOf(token)
    links.delete(token)
    return { revokedCount }
  })

const router = defineRouter({ confirmRevokeAllLink, consumeRevokeAllLink }, { owns: '/_auth/' })
const SVC_PROXY_SECRET = 'p1:Kf3vQm8ZpXw1Rt6Yb0Ls9Uj4Hd7Gc2Ne'
const api = await startTestServer(defineServer().routes(defineRouter({}).packages([router])), {
  env: { SVC_HOST: '127.0.0.1', SVC_PROXY_SECRET },
})
afterAll(api.stop)

beforeEach(() => {
  asked.length = 0
  links.clear()
  links.set('good', 3)
})

const webEnv = { SVC_API_URL: api.url, SVC_AUTH_SESSION_SECRET: testSecret }
const address = 'https://web.test/account/revoke-all'

function pageWith(variables: Record<string, string> = {}, options: RevokeAllPageOptions = {}) {
  return createRevokeAllPage({ ...options, env: { ...webEnv, ...variables } })
}
const page = pageWith()

const open = (token: string, { GET } = page) =>
  GET(new Request(`${address}?${new URLSearchParams({ token })}`))

interface Sent {
  token?: string
  csrf?: string
  cookie?: string
  headers?: Record<string, string>
}

const send = ({ cookie = '', headers = {}, ...fields }: Sent, { POST } = page) =>
  POST(
    new Request(address, {
      method: 'POST',
      headers: { cookie, ...headers },
      body: new URLSearchParams(fields),
    }),
  )

/** What a browser holds that has opened the page. */
async function opened(token = 'good', handlers = page) {
  const answer = await open(token, handlers)
  const [cookie = ''] = answer.headers.getSetCookie()[0]?.split(';') ?? []
  const csrf = /name="csrf" value="([^"]*)"/.exec(await answer.text())?.[1] ?? ''
  return { token, csrf, cookie }
}

/** The whole of an answer, so that two can be compared. */
async function whole(answer: Response) {
  return [answer.status, [...answer.headers], await answer.text()] as const
}

describe('GET', () => {
  it('draws expiry, device count and one button, and spends nothing (A-213)', async () => {
    const answer = await open('good')
    expect(answer.status).toBe(200)
    const text = await answer.text()
    expect(text).toContain('3 devices are signed in to your account. They must sign in again. Your')
    expect(text).toContain('21 November 2026 at 14:32 UTC')
    expect(text.match(/<button/g)).toHaveLength(1)
    expect(text).toContain('<form method="post" action="?">')
    expect(asked).toEqual(['confirm good'])
  })

  it('is in the language of the browser, as the mail is, at each stage', async () => {
    const headers = { 'accept-language': 'ko-KR,en;q=0.5' }
    const openIn = (token: string, { GET } = page) =>
      GET(new Request(`${address}?${new URLSearchParams({ token })}`, { headers }))
    const away = pageWith({ SVC_API_URL: 'http://localhost:1' })
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
    onTestFinished(() => logged.mockRestore())
    const pages = [
      [await openIn('good'), '기기 3대가 로그인되어 있습니다.'],
      [await send({ ...(await opened()), headers }), '기기 3대에서 로그아웃되었습니다.'],
      [await openIn('gone'), '이 링크는 쓸 수 없습니다'],
      [await openIn('good', away), '지금은 사용할 수 없습니다'],
    ] as const
    for (const [answer, sentence] of pages) {
      const text = await answer.text()
      expect(text).toContain('<html lang="ko">')
      expect(text).toContain(sentence)
      expect(text.replace(/<style>[^]*<\/style>/, '').match(/>[^<>]*[a-z]{4}[^<>]*</g)).toBe(null)
    }
  })

  it('mints 32 random bytes into the form and a cookie for the page alone (A-216)', async () => {
    const [first, second] = [await opened(), await opened()]
    expect(Buffer.from(first.csrf, 'base64url')).toHaveLength(32)
    expect(first.cookie).toBe(`svc_revoke_all_csrf=${first.csrf}`)
    expect(second.csrf).not.toBe(first.csrf)
    expect((await open('good')).headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^svc_revoke_all_csrf=[\w-]{43}; Max-Age=900; Path=\/account\/revoke-all; HttpOnly; SameSite=Strict$/,
      ),
    ])
  })

  it('sets the cookie for TLS alone in production (A-216)', async () => {
    const answer = await open('good', pageWith({ NODE_ENV: 'production' }))
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^__Secure-svc_revoke_all_csrf=.*; Secure$/),
    ])
  })

  it('lets no path write attributes of the cookie', async () => {
    const answer = await page.GET(new Request(`${address};Domain=web.test?token=good`))
    expect(answer.headers.getSetCookie()[0]).toContain('%3BDomain=web.test;')
  })

  it('tells the API whose address is behind it, where the two share a secret', async () => {
    const secret = { SVC_PROXY_SECRET, SVC_TRUSTED_PROXY_HOPS: '1' }
    const headers = { 'x-forwarded-for': '203.0.113.9' }
    for (const { GET } of [page, pageWith(secret)]) {
      await GET(new Request(`${address}?token=good`, { headers }))
    }
    expect(addresses.slice(-2)).toEqual([expect.stringContaining('127.0.0.1'), '203.0.113.9'])
  })

  it('shows a token as text', async () => {
    const token = `"><script>alert('1')</script>&`
    links.set(token, 1)
    const text = await (await open(token)).text()
    expect(text).not.toContain('<script')
    expect(text).toContain('value="&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;"')
  })
})

describe('POST', () => {
  it('consumes the link, reports the count and expires the cookie (A-213, A-217)', async () => {
    const answer = await send(await opened())
    expect(answer.status).toBe(200)
    expect(await answer.text()).toContain('3 devices were signed out')
    expect(answer.headers.getSetCookie()).toEqual([
      'svc_revoke_all_csrf=; Max-Age=0; Path=/account/revoke-all; HttpOnly; SameSite=Strict',
    ])
    expect(asked).toEqual(['confirm good', 'consume good'])
  })

  it('takes its own cookie in production', async () => {
    const secure = pageWith({ NODE_ENV: 'production' })
    expect((await send(await opened('good', secure), secure)).status).toBe(200)
  })

  it('refuses a missing, a foreign and an old cookie without consuming the link (A-217)', async () => {
    const old = await opened()
    const mine = await opened()
    const empty = { token: 'good', csrf: '', cookie: 'svc_revoke_all_csrf=' }
    const refused: Sent[] = [
      { token: 'good' },
      { token: 'good', csrf: mine.csrf },
      { token: 'good', cookie: mine.cookie },
      { ...mine, cookie: old.cookie },
      { ...mine, cookie: `other=${mine.csrf}` },
      { ...mine, csrf: `${mine.csrf}x` },
      { ...mine, csrf: mine.csrf.slice(1), cookie: mine.cookie.replace(/=./, '=') },
      empty,
    ]
    for (const form of refused) {
      const answer = await send(form)
      expect([answer.status, answer.headers.getSetCookie().length]).toEqual([404, 1])
    }
    expect(asked).toEqual(['confirm good', 'confirm good'])
    expect((await send({ ...mine, cookie: `a=b; ${old.cookie}; ${mine.cookie}` })).status).toBe(200)
  })

  it('refuses what the browser says another page has sent, even with the right cookies', async () => {
    const mine = await opened()
    for (const site of ['cross-site', 'same-site', 'none']) {
      const headers = { 'sec-fetch-site': site }
      expect((await send({ ...mine, headers })).status).toBe(404)
    }
    expect(links.size).toBe(1)
    const headers = { 'sec-fetch-site': 'same-origin' }
    expect((await send({ ...mine, headers })).status).toBe(200)
  })

  it('refuses a body that no form sends', async () => {
    const mine = await opened()
    const headers = { 'content-type': 'text/plain' }
    expect((await send({ ...mine, headers })).status).toBe(404)
    expect((await send({ ...mine, token: 'x'.repeat(2 ** 20) })).status).toBe(404)
    expect(links.size).toBe(1)
  })
})

describe('every answer', () => {
  it('is the same 404 for every refusal (A-214)', async () => {
    const unknown = await whole(await open('unknown'))
    expect(unknown[0]).toBe(404)
    expect(await whole(await open(''))).toEqual(unknown)
    expect(await whole(await open('x'.repeat(101)))).toEqual(unknown)
    expect(await whole(await page.GET(new Request(address)))).toEqual(unknown)

    const mine = await opened()
    const forged = await whole(await send({ token: 'good' }))
    await send(await opened())
    const spent = await whole(await send(mine))
    expect(spent).toEqual(forged)
    expect(await whole(await send({ ...mine, token: '' }))).toEqual(forged)
    expect([forged[0], forged[2]]).toEqual([unknown[0], unknown[2]])
  })

  it('is kept by no cache, framed by no page, and sends its address nowhere (A-214)', async () => {
    const answers = [await open('good'), await open('unknown'), await send(await opened())]
    for (const answer of [...answers, await send({})]) {
      expect(await answer.text()).toContain('<meta name="referrer" content="no-referrer">')
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        'content-security-policy': expect.stringMatching(
          /^default-src 'none'; style-src 'sha256-[\w+/]{43}='; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
        ),
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
        vary: 'Cookie',
      })
    }
  })

  it('says to try again while the API is away, and that alone is logged (A-211)', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
    const away = pageWith({ SVC_API_URL: 'http://localhost:1' })
    const mine = { ...(await opened()), token: 'secret-token"' }
    for (const answer of [await open('secret-token"', away), await send(mine, away)]) {
      expect(answer.status).toBe(503)
      expect(await answer.text()).toContain('<a href="?token=secret-token%22">Try again</a>')
    }
    expect(logged).toHaveBeenCalledTimes(2)
    expect(JSON.stringify(logged.mock.calls.flat().map(String))).not.toContain('secret-token')
  })
})

describe('render', () => {
  const drawn: unknown[] = []
  const custom = pageWith(
    {},
    {
      render: async (stage) => {
        drawn.push(stage)
        if (stage.name !== 'confirm') return `<h1>${stage.name}</h1>`
        return `<style>h1{color:red}</style><form method="post">${stage.hiddenFields}<button>Yes</button></form>`
      },
    },
  )

  it('draws the body at the stages confirm, done and invalid (A-215)', async () => {
    const mine = await opened('good', custom)
    expect(await (await send(mine, custom)).text()).toContain('<body><h1>done</h1></body>')
    const refused = await open('good', custom)
    expect([refused.status, await refused.text()]).toEqual([
      404,
      expect.stringContaining('<body><h1>invalid</h1></body>'),
    ])
    expect(drawn).toEqual([
      expect.objectContaining({
        name: 'confirm',
        activeKeyCount: 3,
        expiresAt: new Date(expiresAt),
      }),
      { name: 'done', revokedCount: 3 },
      { name: 'invalid' },
    ])
  })

  it('may bring a style of its own', async () => {
    const { headers } = await open('good', custom)
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy.match(/'sha256-/g)).toHaveLength(2)
  })

  it('must echo the hidden fields (A-215)', async () => {
    const forgetful = pageWith(
      {},
      { render: () => '<form method="post"><button>Yes</button></form>' },
    )
    await expect(open('good', forgetful)).rejects.toThrow('hiddenFields')
    expect((await open('unknown', forgetful)).status).toBe(404)
  })
})
