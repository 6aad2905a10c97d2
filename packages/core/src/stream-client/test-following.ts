import { afterEach, vi } from 'vitest'
import {
  defineChannel,
  defineEvent,
  defineEventRouter,
  defineServer,
  defineWebSocketRouter,
  t,
} from '../index.ts'
import { asUser } from '../streams/test-socket.ts'
import { startTestServer, type TestServer } from '../testing/test-server.ts'
import { createAuthSSEClient } from './create-auth-sse-client.ts'
import { createWSClient } from './create-ws-client.ts'
import { eventsToken } from './events-token.ts'
import type { SSEClient } from './subscription.ts'
import { startDrops } from './test-drops.ts'

export type Way = 'SSE' | 'WebSocket'

interface Given {
  env?: Record<string, string>
  maxNames?: number
  /** Who may follow an order: those whose id it begins with unless set. */
  rule?: (subject: string, id: string) => boolean | Promise<boolean>
}

/** An application as a process of its own would have it: with events of its own making. */
function applicationOf({ maxNames = 100, rule }: Omit<Given, 'env'>) {
  const news = defineEvent('news', t.Object({ n: t.Integer() }))
  const changed = defineChannel('order.changed', t.Object({ n: t.Integer() }))
  const said = defineChannel('room.said', t.Object({ n: t.Integer() }), { presence: true })
  const events = { news, changed, said }
  const history = { size: 1000, ttl: 60_000 }
  const given = {
    maxNames,
    auth: {
      enabled: true,
      channels: {
        changed: rule ?? ((subject: string, id: string) => id.startsWith(subject)),
        said: () => true,
      },
    },
  }
  const router = defineEventRouter(events, { history })
  const sockets = defineWebSocketRouter({ events, history })
  const definition = defineServer().use([asUser]).events(router, given).websockets(sockets, given)
  return { ...events, router, sockets, definition }
}

type Router = ReturnType<typeof applicationOf>['router']
type Sockets = ReturnType<typeof applicationOf>['sockets']

/** A client of an application, whose streams a test cuts. All of it ends with the test. */
export function useFollowing() {
  const closing: (() => unknown)[] = []
  afterEach(async () => {
    for (const close of closing.splice(0).toReversed()) await close()
  })

  async function serve({ env = {}, ...given }: Given = {}) {
    const application = applicationOf(given)
    const server = await startTestServer(application.definition, { env })
    closing.push(server.stop)
    return { ...application, ...server }
  }

  function connect(
    way: Way,
    url: string,
    more: { shareAcrossTabs?: string } = {},
  ): SSEClient<Router> {
    const place = { host: url, sign: async () => ({ 'x-user': 'u1' }) }
    const options = { ...place, reconnectDelay: 20, acquireToken: eventsToken(place), ...more }
    const client =
      way === 'SSE'
        ? createAuthSSEClient<Router>(options)
        : // Of the same events.
          (createWSClient<Sockets>(options) as unknown as SSEClient<Router>)
    closing.push(() => client.close())
    return client
  }

  async function start(way: Way, given: Given = {}) {
    const server = await serve(given)
    const drops = await startDrops(() => server.url)
    const client = connect(way, drops.url)
    return { ...server, ...listenTo(client), client, drops }
  }

  return { start, serve, connect, closing }
}

/** What a client is told of orders: their id, and the number. */
export function listenTo(client: SSEClient<Router>) {
  const heard: [id: string, n: number][] = []
  const orders = (...ids: string[]) => ({
    channels: {
      changed: Object.fromEntries(
        ids.map((id) => [id, ({ n }: { n: number }) => heard.push([id, n])]),
      ),
    },
  })
  let opened = 0
  const subscribe = async (...ids: string[]) => {
    client.subscribe({
      handlers: { news: ({ n }) => heard.push(['news', n]) },
      ...orders(...ids),
      onOpen: () => (opened += 1),
    })
    await opens(1)
  }
  const opens = (times: number) => until(() => opened === times)
  return { heard, orders, subscribe, opens, opened: () => opened }
}

export async function until(isSo: () => boolean | Promise<boolean>) {
  await vi.waitFor(
    async () => {
      if (!(await isSo())) throw new Error('not yet')
    },
    { interval: 5, timeout: 5000 },
  )
}

/** All that the open streams of a server follow. */
export async function followedOn({ infrastructure }: Pick<TestServer, 'infrastructure'>) {
  const { streams } = await infrastructure.streams.list({})
  return streams.map(({ events }) => events)
}
