import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { launchBrowser } from '../../../../scripts/browser/launch-browser.ts'
import { serveModules } from '../../../../scripts/browser/serve-modules.ts'
import { orFew } from '../../../../scripts/test/or-few.ts'
import { attempts, type plantToken } from '../test-attacks.ts'
import { startItemsWeb } from '../test-items.ts'
import { serveFetch } from '../test-site.ts'

// The globals of the app's pages and of the other site's, for the functions that run in them.
declare const client: typeof import('@svc/core/client')
declare const attacks: { attempts: typeof attempts; plantToken: typeof plantToken }

type Calls = Record<string, { call: (input?: object) => Promise<unknown> }>

const { api, reached, routeMap, proxyWith } = await startItemsWeb()
const modes = ['off', 'warn', 'enforce'] as const
const proxies = new Map(modes.map((mode) => [mode as string, proxyWith({ SVC_AUTH_CSRF: mode })]))
const pages = await serveModules({ client: 'packages/core/src/client.ts' })
const otherPages = await serveModules({ attacks: 'packages/web/src/test-attacks.ts' })

/** What the app answered last, by the name of the attempt. */
const answered = new Map<string, number>()

/** The app: its pages, and its proxy in each mode at `/enforce/api/rpc`. */
const app = await serveFetch(async (request) => {
  const { pathname, searchParams } = new URL(request.url)
  const [, isOpen, mode = ''] = /^(\/open)?\/(\w+)\/api\/rpc\//.exec(pathname) ?? []
  const proxy = proxies.get(mode)
  if (!proxy) return fetch(new URL(pathname, pages.url))
  const answer = isOpen ? await openToAll(request, proxy) : await answerOf(request, proxy)
  const attempt = searchParams.get('attempt')
  // A browser that asks first and is told yes sends the attempt itself next.
  if (attempt !== null && answer.status !== 204) answered.set(attempt, answer.status)
  return answer
})
const other = await serveFetch((request) =>
  fetch(new URL(new URL(request.url).pathname, otherPages.url)),
)
const { browser, stop } = await launchBrowser()
afterAll(() =>
  Promise.all([stop(), app.stop(), other.stop(), pages.stop(), otherPages.stop(), api.stop()]),
)

type Proxy = ReturnType<typeof proxyWith>

async function answerOf(request: Request, { GET, POST }: Proxy) {
  // The API's clock stands still, and the proxy signs with the machine's.
  api.clock.set(new Date())
  if (request.method === 'GET') return GET(request)
  return request.method === 'POST' ? POST(request) : new Response(null, { status: 405 })
}

/** An app whose host lets every origin send what it likes, cookies and all: a mistake that is made. */
async function openToAll(request: Request, proxy: Proxy) {
  const isAsking = request.method === 'OPTIONS'
  const answer = isAsking ? new Response(null, { status: 204 }) : await answerOf(request, proxy)
  answer.headers.set('access-control-allow-origin', `${request.headers.get('origin')}`)
  answer.headers.set('access-control-allow-credentials', 'true')
  answer.headers.set('access-control-allow-headers', 'content-type, x-svc-csrf')
  return answer
}

/** Cookies are for all ports of a host, and `SameSite` does not hold back hosts of one domain. */
const sites = {
  'another site': [`http://localhost:${app.port}`, `http://127.0.0.1:${other.port}`],
  'a host beside the app': [
    `http://app.svc.localhost:${app.port}`,
    `http://evil.svc.localhost:${other.port}`,
  ],
} as const
type Site = keyof typeof sites

let context: BrowserContext
let warn: ReturnType<typeof vi.spyOn>
beforeEach(async () => {
  context = await browser.newContext()
  warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
})
afterEach(() => context.close())

/** A tab of the app in which a user has signed in, and has not called since. */
async function signedInTab(home: string) {
  const { email, password } = await api.createUser()
  const tab = await context.newPage()
  await tab.goto(home)
  await tab.waitForFunction('window.client')
  await call(tab, 'enforce', ['login', { body: { email, password } }])
  reached.length = 0
  return tab
}

/** Calls as the app's own pages do. */
function call(tab: Page, mode: string, ...calls: [name: string, input?: object][]) {
  return tab.evaluate(
    async ({ options, inOrder }) => {
      const own = client.createApi(options) as unknown as Calls
      for (const [name, input] of inOrder) await own[name]?.call(input)
    },
    { options: { routeMap, proxy: `/${mode}/api/rpc` }, inOrder: calls },
  )
}

/** Makes attempts from a page of the other origin, and resolves to what the app answered to each. */
async function attempted(page: string, url: string, names = Object.keys(attempts)) {
  answered.clear()
  const tab = await context.newPage()
  await tab.goto(page)
  await tab.waitForFunction('window.attacks')
  for (const name of names) {
    // One by one: a window opens for a user's gesture only, and each of these counts as one.
    const to = `${url}?attempt=${encodeURIComponent(name)}`
    await tab.evaluate(([run, at]) => void attacks.attempts[run]?.[0](at), [name, to] as const)
  }
  await vi.waitFor(() => expect([...answered.keys()].toSorted()).toEqual(names.toSorted()), {
    timeout: 10_000,
    interval: 10,
  })
  return Object.fromEntries(answered)
}

const states = {
  'its right cookie': async () => {},
  'no cookie': () => context.clearCookies({ name: 'svc_csrf' }),
  'a wrong cookie': (home: string) =>
    context.addCookies([{ name: 'svc_csrf', value: '0'.repeat(64), url: home }]),
}

const cells = (Object.keys(sites) as Site[]).flatMap((site) =>
  modes.flatMap((mode) =>
    (Object.keys(states) as (keyof typeof states)[]).map((state) => ({ site, mode, state })),
  ),
)

const statuses = Object.fromEntries(
  Object.entries(attempts).map(([name, [, status]]) => [name, status]),
)

describe('a page of another origin', () => {
  it.each(orFew(cells, 5))(
    'from $site changes nothing in mode $mode at $state, and the app’s own page does (A-336, A-337, A-338, A-345)',
    { timeout: 60_000 },
    async ({ site, mode, state }) => {
      const [home, page] = sites[site]
      const own = await signedInTab(home)
      await states[state](home)
      const answers = await attempted(page, `${home}/${mode}/api/rpc/postItem`)
      expect(answers).toEqual(statuses)
      expect(reached).toEqual([])

      // The first answer has put the cookie right.
      await call(own, mode, ['getItem'], ['postItem'])
      expect(reached).toEqual(['getItem', 'postItem'])
      expect(warn).not.toHaveBeenCalled()
    },
  )
})

describe('a script of the app’s own pages', () => {
  it('can read the token, and the session not: against it the check is none (A-334, A-347)', async () => {
    const own = await signedInTab(sites['another site'][0])
    expect(await own.evaluate(() => document.cookie)).toMatch(/^svc_csrf=[0-9a-f]{64}$/)
  })
})

describe('an app that lets every origin in by mistake', () => {
  const byFetch = ['fetch of JSON', 'fetch of JSON with a token']
  const open = async (site: Site, mode: string) => {
    const [home, page] = sites[site]
    await signedInTab(home)
    const tab = await context.newPage()
    await tab.goto(page)
    await tab.waitForFunction('window.attacks')
    // Cookie and header are equal from now on, and no token of the session.
    await tab.evaluate(() => attacks.plantToken())
    return attempted(page, `${home}/open/${mode}/api/rpc/postItem`, byFetch)
  }

  it.each([
    { mode: 'off', status: 200, changes: 2 },
    { mode: 'warn', status: 200, changes: 2 },
    { mode: 'enforce', status: 403, changes: 0 },
  ])(
    'is called from a host beside it in mode $mode with $status (A-337, A-340, A-341)',
    async ({ mode, status, changes }) => {
      const answers = await open('a host beside the app', mode)
      expect(answers).toEqual(Object.fromEntries(byFetch.map((name) => [name, status])))
      expect(reached).toHaveLength(changes)
      expect(warn).toHaveBeenCalledTimes(mode === 'warn' ? 2 : 0)
    },
  )

  it('is called from another site without its cookies (A-339)', async () => {
    const answers = await open('another site', 'off')
    expect(answers).toEqual(Object.fromEntries(byFetch.map((name) => [name, 401])))
    expect(reached).toEqual([])
  })
})
