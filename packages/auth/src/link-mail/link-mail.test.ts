import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { sql } from 'drizzle-orm'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { requestLink } from '../links/links.ts'
import { flows, stepsOf } from '../links/testing/links.ts'
import { mailRevokeAllLink } from '../revoke-all/revoke-all.ts'
import { routeMap } from '../route-map.generated.ts'
import { startTestAuth, type TestAuth } from '../testing.ts'
import { dumpTables } from '../trials/attacks/dump-tables.ts'

const appUrl = 'https://app.example.com'
const queued = await startTestAuth({ env: { SVC_AUTH_LINK_MAIL_DELIVERY: 'queued' } })
const inline = await startTestAuth({ env: { SVC_AUTH_LINK_MAIL_DELIVERY: 'inline' } })
// The last, so that it is the one that functions of an application find.
const auth = await startTestAuth({
  env: {
    SVC_APP_URL: appUrl,
    SVC_AUTH_SIGNUP_CONFIRM_PATH: '/join/here',
    SVC_AUTH_PASSWORD_RESET_CONFIRM_PATH: '/forgotten',
    SVC_AUTH_REVOKE_ALL_CONFIRM_PATH: '/out',
  },
})
afterAll(() => Promise.all([auth.stop(), queued.stop(), inline.stop()]))

let people = 0
const newAddress = () => `reader-${(people += 1)}@example.com`
const linkIn = (text: string) => new URL(/https?:\S+token=\S+/.exec(text)?.[0] ?? '')

/** The orders of the job, oldest first. */
async function jobsOf(at: TestAuth) {
  const { rows } = await at.auth.db.execute<{ data: unknown; state: string }>(sql`
    select data, state from svc_jobs.job where name = 'auth.link-mail' order by created_on`)
  return rows
}

describe('the link in a mail', () => {
  it.each([
    ['signup', '/join/here'],
    ['reset', '/forgotten'],
  ] as const)(
    'of a %s leads to a page of the app, its token in the query (A-181)',
    async (flow, page) => {
      const email = flow === 'reset' ? (await auth.createUser()).email : newAddress()
      const { ask, open } = stepsOf(auth, flow)
      const { text } = await auth.sentBy(() => ask(email), email, flows[flow].template)
      const link = linkIn(text)
      expect([link.origin, link.pathname]).toEqual([appUrl, page])
      expect([...link.searchParams.keys()]).toEqual(['token'])
      expect(await open(link.searchParams.get('token') ?? '')).toMatchObject({ status: 200 })
    },
  )

  it('that signs out everywhere leads to a page of the app too (A-181)', async () => {
    const { userId, email } = await auth.createUser()
    const { text } = await auth.sentBy(
      () => auth.within(() => mailRevokeAllLink(userId)),
      email,
      'revoke-all',
    )
    expect(linkIn(text)).toMatchObject({ origin: appUrl, pathname: '/out' })
  })

  const evil = 'evil.example.com'
  const misleading: Record<string, { path?: string; headers: Record<string, string> }> = {
    Host: { headers: { host: evil } },
    'X-Forwarded-*': {
      headers: {
        'x-forwarded-host': evil,
        'x-forwarded-proto': 'http',
        'x-forwarded-prefix': '/evil',
        'x-forwarded-server': evil,
        'x-host': evil,
        'x-original-host': evil,
        'x-forwarded-port': '666',
      },
    },
    Forwarded: { headers: { forwarded: `host=${evil};proto=http;for=1.2.3.4` } },
    'Origin and Referer': { headers: { origin: `https://${evil}`, referer: `https://${evil}/x` } },
    'a request line with an absolute address': { path: `http://${evil}`, headers: { host: evil } },
  }

  it.each(Object.entries(misleading))(
    'leads there, even if %s names another address',
    async (_what, misled) => {
      for (const flow of ['signup', 'reset'] as const) {
        const email = flow === 'reset' ? (await auth.createUser()).email : newAddress()
        const { path } = routeMap[flows[flow].request]
        const asked = () => post(`${misled.path ?? ''}${path}`, { email }, misled.headers)
        const { text, html } = (await auth.sentBy(asked, email, flows[flow].template)) as {
          text: string
          html?: string
        }
        expect(linkIn(text).origin).toBe(appUrl)
        expect(`${text}${html}`).not.toContain('evil')
      }
    },
  )

  async function post(path: string, body: object, headers: Record<string, string>) {
    const { hostname, port } = new URL(auth.url)
    const json = { 'content-type': 'application/json', ...headers }
    const asked = request({ hostname, port, path, method: 'POST', headers: json })
    asked.end(JSON.stringify(body))
    const [answer] = (await once(asked, 'response')) as [IncomingMessage]
    answer.resume()
    expect(answer.statusCode).toBe(200)
  }
})

describe('link mail', () => {
  it('leaves through the job, which is told a row and no address (A-184)', async () => {
    const email = newAddress()
    const before = (await jobsOf(auth)).length
    const link = await stepsOf(auth, 'signup').token(email)
    const orders = (await jobsOf(auth)).slice(before)
    expect(orders.map(({ data }) => data)).toEqual([
      { input: { kind: 'signup', id: expect.stringMatching(/^[\da-f-]{36}$/) } },
    ])
    expect(await dumpTables(auth.auth.db)).not.toContain(link)
  })

  it.each(Object.keys(flows) as (keyof typeof flows)[])(
    'of a %s is ordered with an account and without one alike (A-184)',
    async (flow) => {
      const { email } = await auth.createUser()
      const before = (await jobsOf(auth)).length
      const { ask } = stepsOf(auth, flow)
      await ask(email)
      await ask(newAddress())
      const orders = (await jobsOf(auth)).slice(before)
      const kind = flow === 'reset' ? 'password_reset' : 'signup'
      expect(orders).toMatchObject([{ data: { input: { kind } } }, { data: { input: { kind } } }])
      expect(new Set(orders.map(({ data }) => JSON.stringify(data).length)).size).toBe(1)
      await vi.waitFor(async () => {
        const states = (await jobsOf(auth)).map(({ state }) => state)
        expect(new Set(states)).toEqual(new Set(['completed']))
      }, 10_000)
    },
  )

  it('goes by the queue with `queued`, as it does unless anything is said (A-185)', async () => {
    await stepsOf(queued, 'signup').token(newAddress())
    expect(await jobsOf(queued)).toHaveLength(1)
  })

  it('goes from this process with `inline`, and is never enqueued (A-185)', async () => {
    const signup = stepsOf(inline, 'signup')
    expect((await signup.finish(await signup.secret(newAddress()))).status).toBe(200)
    const { email } = await inline.createUser()
    const reset = stepsOf(inline, 'reset')
    expect((await reset.finish(await reset.secret(email))).status).toBe(200)
    await inline.sentBy(() => signup.ask(email), email, 'account-exists')
    expect(await jobsOf(inline)).toEqual([])
  })

  it.each([
    ['the job', auth],
    ['this process', inline],
  ])('does not leave through %s when what ordered it is rolled back', async (_which, at) => {
    const subject = newAddress()
    const { db, clock, linkMail } = at.auth
    const before = (await jobsOf(at)).length
    const now = clock.now()
    const link = {
      purpose: 'signup' as const,
      subject,
      expiresAt: new Date(now.getTime() + 1),
      now,
    }
    const failing = db.transaction(async (tx) => {
      await linkMail.order(tx, { kind: 'signup', id: await requestLink(tx, link) })
      throw new Error('and back')
    })
    await expect(failing).rejects.toThrow('and back')
    await linkMail.close()
    expect((await jobsOf(at)).length).toBe(before)
    expect(await at.messagesTo(subject)).toEqual([])
    expect(JSON.stringify(at.logged)).not.toContain('a link was not mailed')
  })
})
