import { randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { runCommand } from '../../packages/cli/src/run/run-command.ts'
import { UnauthorizedError } from '../../packages/core/src/client.ts'
import {
  defineEvent,
  defineEventRouter,
  defineMiddleware,
  defineServer,
  migrationSources,
  type RunningServer,
  startServer,
  t,
} from '../../packages/core/src/index.ts'
import { createTestDatabase } from '../../packages/core/src/testing/test-database.ts'
import { launchBrowser } from '../browser/launch-browser.ts'
import { serveModules } from '../browser/serve-modules.ts'
import { orFew } from '../test/or-few.ts'
import { examplesOf } from './fences.ts'

// The lines of the guide, as they stand there, with a server that is restarted.

const root = join(import.meta.dirname, '..', '..')
mkdirSync(join(root, '.svc'), { recursive: true })
// Ignored by git, and inside the repository so that its packages are found.
const folder = mkdtempSync(join(root, '.svc', 'foreign-clients-'))
const guide = readFileSync(join(root, 'docs', 'guide', 'streams.md'), 'utf8')
for (const { name, text } of examplesOf(guide)) if (name) writeFileSync(join(folder, name), text)

interface Client {
  /** Goes on until it is closed, or refused; then it resolves. */
  ended: Promise<unknown>
  close: () => unknown
}

/** What a client is given, whichever it is. */
interface Given {
  url: string
  mint: () => Promise<string>
  received: (n: number) => void
}

interface Options {
  mint: Given['mint']
  names: string[]
  onEvent: (name: string, payload: unknown) => void
  signal: AbortSignal
}

interface Globals {
  opens: Record<string, (url: string, options: Options) => Promise<unknown>>
  refusal: () => Error
  mint: Given['mint']
  received: Given['received']
  leave: () => void
}
declare const page: Globals

const site = await serveModules({})
const { browser, stop } = await launchBrowser()
const bundle = join(folder, 'bundle.js')
writeFileSync(
  join(folder, 'entry.ts'),
  `import { UnauthorizedError } from '@svc/core/client'
  import { openStream as native } from './with-native-event-source.ts'
  import { openStream as fetched } from './with-fetch-event-source.ts'
  window.page = { opens: { native, fetched }, refusal: () => new UnauthorizedError() }`,
)
const bundled = await runCommand(
  [
    'esbuild',
    join(folder, 'entry.ts'),
    '--bundle',
    '--conditions=svc-source',
    `--outfile=${bundle}`,
  ],
  { cwd: root },
)
let database: Awaited<ReturnType<typeof createTestDatabase>>
beforeAll(async () => {
  expect(bundled.passed, bundled.output).toBe(true)
  database = await createTestDatabase({ sources: migrationSources(defineServer()) })
})
afterAll(async () => {
  await Promise.all([stop(), site.stop(), database.drop()])
  rmSync(folder, { recursive: true, force: true })
})

async function eventsource({ url, mint, received }: Given): Promise<Client> {
  const { openStream } = (await import(join(folder, 'with-eventsource.ts'))) as {
    openStream: (url: string, mint: Given['mint']) => EventSource
  }
  const source = openStream(url, mint)
  source.addEventListener('orderShipped', ({ data }) => received(JSON.parse(data).n))
  const ended = new Promise<void>((resolve) => {
    source.addEventListener('error', () => {
      if (source.readyState === source.CLOSED) resolve()
    })
  })
  return { ended, close: () => source.close() }
}

/** One that runs in a page of another origin. */
const inChromium =
  (name: 'native' | 'fetched') =>
  async ({ url, mint, received }: Given): Promise<Client> => {
    const tab = await browser.newPage()
    await tab.goto(site.url)
    await tab.exposeFunction('mintHere', () =>
      mint().then(
        (token) => ({ token }),
        (error: unknown) => ({ isRefused: error instanceof UnauthorizedError }),
      ),
    )
    await tab.exposeFunction('receivedHere', received)
    await tab.addScriptTag({ path: bundle })
    const ended = tab
      .evaluate(
        async ([which, place]) => {
          const { mintHere, receivedHere } = globalThis as unknown as {
            mintHere: () => Promise<{ token?: string; isRefused?: boolean }>
            receivedHere: (n: number) => void
          }
          const leaving = new AbortController()
          page.leave = () => leaving.abort()
          const options = {
            names: ['orderShipped'],
            signal: leaving.signal,
            onEvent: (event: string, payload: unknown) => {
              if (event === 'orderShipped') receivedHere((payload as { n: number }).n)
            },
            async mint() {
              const { token, isRefused } = await mintHere()
              if (token === undefined) throw isRefused ? page.refusal() : new Error('no network')
              return token
            },
          }
          await page.opens[which]?.(place, options).catch(() => {})
        },
        [name, url] as const,
      )
      .catch(() => {})
    return { ended, close: () => tab.close() }
  }

const history = { size: 1000, ttl: 60_000 }
const asUser = defineMiddleware('as-user', async (c, next) => {
  const user = c.req.header('x-user')
  if (user) c.set('userId', user)
  await next()
})

const running = new Set<RunningServer>()
const clients: Client[] = []
beforeEach(() => {
  // How long a server asks for that goes down: half a second.
  vi.spyOn(Math, 'random').mockReturnValue(0.05)
})
afterEach(async () => {
  vi.restoreAllMocks()
  await Promise.all(clients.splice(0).map(({ close }) => close()))
  for (const server of running) await server.stop()
  running.clear()
})

/** An instance, whose events are its own as those of another process are. */
async function start(port = 0) {
  const orderShipped = defineEvent(`order.shipped.${randomUUID()}`, t.Object({ n: t.Integer() }))
  const definition = defineServer()
    .use([asUser])
    .events(defineEventRouter({ orderShipped }, { history }), { auth: { enabled: true } })
    .origins(site.url)
  const env = { NODE_ENV: 'test', SVC_LOG_LEVEL: 'silent', DATABASE_URL: database.url }
  const server = await startServer(definition, { env, port })
  running.add(server)
  return {
    port: Number(new URL(server.url).port),
    url: `${server.url}/events/stream?events=orderShipped`,
    streams: () => server.infrastructure.streams.size,
    emit: (n: number) => orderShipped.emit({ n }),
    token: async () => {
      const init = { method: 'POST', headers: { 'x-user': 'ada' } }
      const answer = await fetch(`${server.url}/events/token`, init)
      return ((await answer.json()) as { token: string }).token
    },
    stop: async () => {
      running.delete(server)
      await server.stop()
    },
  }
}

/** What stands before a server answers in its place, until it has been asked. */
async function answerAtFirst(status: number, port: number) {
  const headers = { 'access-control-allow-origin': site.url, 'access-control-allow-headers': '*' }
  const asked = Promise.withResolvers<void>()
  const busy = createServer(({ method }, answer) => {
    answer.writeHead(method === 'OPTIONS' ? 204 : status, { ...headers, connection: 'close' }).end()
    if (method !== 'OPTIONS') asked.resolve()
  })
  await new Promise<void>((listening) => busy.listen(port, listening))
  await asked.promise
  await new Promise((closed) => busy.close(closed))
}

const soon = { interval: 20, timeout: 20_000 }

const all = [
  ['eventsource', eventsource],
  ['@microsoft/fetch-event-source', inChromium('fetched')],
  ['the EventSource of Chromium', inChromium('native')],
] as const

describe.each(orFew(all, 2))('%s, as the guide opens it', (_name, open) => {
  async function opened() {
    const first = await start()
    const given = { mint: first.token }
    const seen: number[] = []
    const { url } = first
    const mint = vi.fn(() => given.mint())
    const client = await open({ url, mint, received: (n) => seen.push(n) })
    clients.push(client)
    await vi.waitFor(() => expect(first.streams()).toBe(1), soon)
    return { first, given, mint, seen, client }
  }

  it('comes back after a restart with a token for each attempt, and misses nothing (E-055)', {
    timeout: 60_000,
  }, async () => {
    const { first, given, mint, seen } = await opened()
    const other = await start()
    for (const n of [1, 2]) await first.emit(n)
    await vi.waitFor(() => expect(seen).toEqual([1, 2]), soon)
    await first.stop()
    given.mint = async () => 'token'
    await answerAtFirst(503, first.port)
    await other.emit(3)
    const again = await start(first.port)
    given.mint = again.token
    await vi.waitFor(() => expect(again.streams()).toBe(1), soon)
    await again.emit(4)
    await vi.waitFor(() => expect(seen).toEqual([1, 2, 3, 4]), soon)
    expect(mint.mock.calls.length).toBeGreaterThan(1)
  })

  it('comes back if it got no event before', { timeout: 60_000 }, async () => {
    const { first, given, seen } = await opened()
    const other = await start()
    await first.stop()
    await other.emit(1)
    const again = await start(first.port)
    given.mint = again.token
    await vi.waitFor(() => expect(seen).toEqual([1]), soon)
  })

  it('ends when no token is given any more', { timeout: 60_000 }, async () => {
    const { first, given, mint, client } = await opened()
    given.mint = () => Promise.reject(new UnauthorizedError())
    await first.stop()
    await client.ended
    const asked = mint.mock.calls.length
    await new Promise((done) => setTimeout(done, 1500))
    expect(mint).toHaveBeenCalledTimes(asked)
  })
})
