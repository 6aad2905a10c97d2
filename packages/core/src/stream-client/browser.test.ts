import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { launchBrowser } from '../../../../scripts/browser/launch-browser.ts'
import { serveModules } from '../../../../scripts/browser/serve-modules.ts'
import { t } from '../contract.ts'
import { defineServer } from '../definition/define-server.ts'
import { defineEvent } from '../events/event.ts'
import { defineEventRouter } from '../events/event-router.ts'
import { defineMessage, defineWebSocketRouter } from '../events/web-socket-router.ts'
import { startTestServer } from '../testing/test-server.ts'

// The page's globals, for the functions that run in it.
declare const client: typeof import('../client.ts')
declare let told: [string, unknown?][]

const added = defineEvent('item.added', t.Object({ n: t.Integer() }))
const events = { added }
const router = defineEventRouter(events, { history: { size: 1000, ttl: 60_000 } })
const sockets = defineWebSocketRouter({
  events,
  messages: { double: defineMessage(t.Integer(), ({ payload }) => payload * 2) },
})
type Router = typeof router

const consumed: string[] = []
const tokenManager = {
  issue: async () => ({ token: '' }),
  consume: async (subject: string) => {
    consumed.push(subject)
    return subject === 'no' ? null : { subject }
  },
}
const source = await serveModules({ client: 'packages/core/src/client.ts' })
const auth = { enabled: true, tokenManager }
const api = await startTestServer(
  defineServer()
    .events(router, { pingInterval: 100, auth })
    .websockets(sockets, { auth })
    .origins(source.url),
)
const { browser, stop } = await launchBrowser()
afterAll(() => Promise.all([stop(), source.stop(), api.stop()]))

let context: BrowserContext
let streams: string[]
beforeEach(async () => {
  consumed.length = 0
  streams = []
  context = await browser.newContext()
  context.on('request', (request) => {
    if (request.url().includes('/events/stream')) streams.push(request.url())
  })
})
afterEach(() => context.close())

const until = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 10_000, interval: 20 })
const ping = () => new Promise((resolve) => setTimeout(resolve, 150))

async function newTab() {
  const tab = await context.newPage()
  await tab.goto(source.url)
  await tab.waitForFunction('window.client')
  return tab
}

/** A tab that writes down what it is told. */
async function openTab(options: { shareAcrossTabs?: string; host?: string; token?: string } = {}) {
  const tab = await newTab()
  await tab.evaluate(
    ({ token = 'ada', ...given }) => {
      told = []
      client
        .createSSEClient<Router>({
          reconnectDelay: 50,
          acquireToken: async () => token,
          ...given,
        })
        .subscribe({
          handlers: { added: ({ n }) => told.push(['added', n]) },
          onOpen: ({ recovered }) => told.push(['open', recovered]),
          onError: ({ name }) => told.push(['error', name]),
          onRejected: ({ name }) => told.push(['rejected', name]),
          onReconnect: () => told.push(['reconnect']),
        })
    },
    { host: api.url, ...options },
  )
  return tab
}

const toldIn = (tab: Page) => tab.evaluate(() => told)
const isTold = (tab: Page, expected: unknown[]) =>
  until(async () => expect(await toldIn(tab)).toEqual(expected))

describe('a browser', () => {
  it('streams over fetch from another origin, and is recovered after a drop (E-077)', async () => {
    const tab = await openTab()
    await isTold(tab, [['open', false]])
    await added.emit({ n: 1 })
    await isTold(tab, [
      ['open', false],
      ['added', 1],
    ])
    // All streams are too old by now.
    api.clock.advance('2h')
    await isTold(tab, [
      ['open', false],
      ['added', 1],
      ['error', 'ApiUnreachableError'],
      ['reconnect'],
      ['open', true],
    ])
  })

  it('sees why a stream is refused (E-090)', async () => {
    const tab = await newTab()
    const refused = await tab.evaluate(
      (host) =>
        new Promise((resolve) => {
          client
            .createSSEClient({ host })
            .subscribe({ events: ['added'], handlers: {}, onError: resolve, onRejected: resolve })
        }).then((error) => [error instanceof client.UnauthorizedError, String(error)]),
      api.url,
    )
    expect(refused).toEqual([true, expect.stringContaining('UnauthorizedError')])
  })

  it('finds the default backend without a process (E-078)', async () => {
    const tab = await newTab()
    await tab.evaluate(() => client.createSSEClient().subscribe({ events: ['a'], handlers: {} }))
    await until(async () =>
      expect(streams).toEqual(['http://localhost:8790/events/stream?events=a']),
    )
    expect(await tab.evaluate('typeof process')).toBe('undefined')
  })

  it('tries again at once when it is online again', async () => {
    const tab = await newTab()
    await tab.evaluate((host) => {
      told = []
      client
        .createSSEClient({ host, reconnectDelay: 60_000, acquireToken: async () => 'ada' })
        .subscribe({
          events: ['added'],
          handlers: {},
          onOpen: () => told.push(['open']),
          onError: () => told.push(['error']),
        })
    }, api.url)
    await isTold(tab, [['open']])
    await context.setOffline(true)
    api.clock.advance('2h')
    await isTold(tab, [['open'], ['error']])
    await context.setOffline(false)
    await isTold(tab, [['open'], ['error'], ['open']])
  })

  it('sends cookies to another origin only withCredentials (E-082)', async () => {
    const cookies: (string | undefined)[] = []
    const other = createServer(({ headers }, outgoing) => {
      cookies.push(headers.cookie)
      outgoing.setHeader('access-control-allow-origin', source.url)
      outgoing.setHeader('access-control-allow-credentials', 'true')
      outgoing.setHeader('content-type', 'text/event-stream')
      outgoing.write('event: connected\ndata: {}\n\n')
    })
    await new Promise<void>((listening) => other.listen(0, 'localhost', listening))
    const host = `http://localhost:${(other.address() as AddressInfo).port}`
    const tab = await newTab()
    // Cookies are for all ports of a host.
    await context.addCookies([{ name: 'a', value: 'b', url: host }])
    for (const withCredentials of [false, true]) {
      await tab.evaluate(
        (options) =>
          new Promise<unknown>((onOpen) => {
            client.createSSEClient(options).subscribe({ events: ['a'], handlers: {}, onOpen })
          }),
        { host, withCredentials },
      )
    }
    expect(cookies).toEqual([undefined, 'a=b'])
    other.closeAllConnections()
    other.close()
  })

  it('talks over a WebSocket, whose token no URL shows (E-083)', async () => {
    const urls: string[] = []
    const tab = await newTab()
    tab.on('websocket', (socket) => urls.push(socket.url()))
    const heard = tab.evaluate(
      (host) =>
        new Promise((resolve) => {
          const tokens = ['no', 'ada']
          const errors: string[] = []
          const ws = client.createWSClient<typeof sockets>({
            host,
            reconnectDelay: 50,
            acquireToken: async () => tokens.shift() ?? '',
          })
          ws.subscribe({
            handlers: {},
            replies: { double: (n) => resolve([errors, n]) },
            onError: ({ name }) => errors.push(name),
            onOpen: () => ws.send('double', 21),
          })
        }),
      api.url,
    )
    expect(await heard).toEqual([['ApiUnreachableError'], 42])
    expect(consumed).toEqual(['no', 'ada'])
    expect(new Set(urls)).toEqual(new Set([`${api.url.replace('http', 'ws')}/events/ws`]))
  })
})

describe('tabs that share', () => {
  const shareAcrossTabs = 'ada'
  const ns = async (tab: Page) =>
    (await toldIn(tab)).filter(([name]) => name === 'added').map(([, n]) => n)

  it('have one connection, and one takes over when the leader’s tab closes', async () => {
    const leader = await openTab({ shareAcrossTabs })
    await isTold(leader, [['open', false]])
    const [second, third] = [await openTab({ shareAcrossTabs }), await openTab({ shareAcrossTabs })]
    for (const tab of [second, third]) await isTold(tab, [['open', false]])
    for (const n of [1, 2]) await added.emit({ n })
    for (const tab of [leader, second, third]) {
      await until(async () => expect(await ns(tab)).toEqual([1, 2]))
    }
    expect(streams).toHaveLength(1)

    const closed = leader.close()
    for (let n = 3; n <= 50; n++) {
      await added.emit({ n })
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    await closed
    await ping()
    await added.emit({ n: 51 })
    const all = Array.from({ length: 51 }, (_none, at) => at + 1)
    for (const tab of [second, third]) await until(async () => expect(await ns(tab)).toEqual(all))
    expect(streams).toHaveLength(2)
    expect((await toldIn(third)).filter(([name]) => name === 'open')).toEqual([
      ['open', false],
      ['open', true],
    ])
  })

  it('do not share with another user’s', async () => {
    const tabs = [
      await openTab({ shareAcrossTabs }),
      await openTab({ shareAcrossTabs: 'bob', token: 'bob' }),
    ]
    for (const tab of tabs) await isTold(tab, [['open', false]])
    expect(streams).toHaveLength(2)
  })
})
