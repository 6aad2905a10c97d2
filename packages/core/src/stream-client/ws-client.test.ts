import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { ForbiddenError, NotFoundError, t, ValidationError } from '../contract.ts'
import { defineServer } from '../definition/define-server.ts'
import { defineEvent } from '../events/event.ts'
import { defineMessage, defineWebSocketRouter } from '../events/web-socket-router.ts'
import { startTestServer } from '../testing/test-server.ts'
import { createWSClient, type WSClientOptions } from './create-ws-client.ts'
import type { WSClient, WSSubscription } from './subscription.ts'

const added = defineEvent('item.added', t.Object({ n: t.Integer() }))
const removed = defineEvent('item.removed')
const router = defineWebSocketRouter({
  events: { added, removed },
  messages: {
    double: defineMessage(t.Object({ n: t.Integer() }), ({ payload }) => ({ n: payload.n * 2 })),
    whoAmI: ({ subject }: { subject?: string }) => subject ?? 'unknown',
    leave: defineMessage(t.Integer(), ({ payload, ws }) => ws.close(payload, 'as asked')),
    fail: () => {
      throw new ForbiddenError({ message: 'Not you.' })
    },
  },
})
type Router = typeof router

/** Tokens that say whose they are. */
const consumed: string[] = []
const tokenManager = {
  issue: async () => ({ token: '' }),
  consume: async (token: string) => {
    consumed.push(token)
    return token.startsWith('no') ? null : { subject: token }
  },
}

const open = await startTestServer(defineServer().websockets(router))
const small = await startTestServer(defineServer().websockets(router, { maxConnections: 1 }))
const guarded = await startTestServer(
  defineServer().websockets(router, { auth: { enabled: true, tokenManager } }),
)
afterAll(() => Promise.all([open.stop(), small.stop(), guarded.stop()]))

const clients: WSClient<Router>[] = []
afterEach(() => {
  for (const client of clients.splice(0)) client.close()
  consumed.length = 0
  vi.unstubAllGlobals()
})

function clientOf(options: WSClientOptions = {}) {
  const client = createWSClient<Router>({ host: open.url, reconnectDelay: 20, ...options })
  clients.push(client)
  return client
}

function listen(client: WSClient<Router>, more: Partial<WSSubscription<Router>> = {}) {
  const told: [string, unknown?][] = []
  client.subscribe({
    handlers: { added: ({ n }) => told.push(['added', n]) },
    replies: {
      double: ({ n }) => told.push(['double', n]),
      whoAmI: (subject) => told.push(['whoAmI', subject]),
    },
    onOpen: ({ events }) => told.push(['open', events]),
    onError: (error) => told.push(['error', error]),
    onReconnect: (attempt) => told.push(['reconnect', attempt]),
    onRejected: (error) => told.push(['rejected', error]),
    onClose: () => told.push(['close']),
    onMessageError: (error) => told.push(['messageError', error]),
    ...more,
  })
  return { told, names: () => told.map(([name]) => name) }
}

const until = (check: () => void) => vi.waitFor(check, { timeout: 5000, interval: 5 })

describe('a socket', () => {
  it('brings the events that are asked for (E-077, E-086)', async () => {
    const { told } = listen(clientOf())
    await until(() => expect(told).toEqual([['open', ['added']]]))
    await open.within(() => removed.emit())
    await open.within(() => added.emit({ n: 1 }))

    await until(() => expect(told).toHaveLength(2))
    expect(told[1]).toEqual(['added', 1])
  })

  it('sends messages, and hands over what comes back', async () => {
    const client = clientOf()
    const { told, names } = listen(client)
    expect(client.send('double', { n: 1 })).toBe(false)
    await until(() => expect(names()).toEqual(['open']))

    expect(client.send('double', { n: 21 })).toBe(true)
    expect(client.send('whoAmI')).toBe(true)
    await until(() => expect(told).toHaveLength(3))
    expect(told.slice(1)).toEqual([
      ['double', 42],
      ['whoAmI', 'unknown'],
    ])
    client.close()
    expect(client.send('double', { n: 1 })).toBe(false)
  })

  it('tells of messages that the server could not take, and goes on', async () => {
    const client = clientOf()
    const { told, names } = listen(client)
    await until(() => expect(names()).toEqual(['open']))
    client.send('double', { n: 'two' } as never)
    client.send('fail')
    client.send('unknown' as 'double', { n: 1 })

    await until(() => expect(told).toHaveLength(4))
    expect(told[1]?.[1]).toBeInstanceOf(ValidationError)
    expect(told[2]?.[1]).toBeInstanceOf(ForbiddenError)
    expect(told[2]?.[1]).toMatchObject({ message: 'Not you.', for: 'fail' })
    expect(told[3]?.[1]).toBeInstanceOf(NotFoundError)
    expect(client.getState()).toBe('open')
  })
})

describe('a token', () => {
  it('goes into the list of protocols, and where it cannot, into the query (E-083)', async () => {
    const asked: unknown[][] = []
    vi.stubGlobal(
      'WebSocket',
      class extends WebSocket {
        constructor(...given: [string, string[]]) {
          super(...given)
          asked.push(given)
        }
      },
    )
    const tokens = ['ada', 'b c']
    const client = clientOf({
      host: guarded.url,
      acquireToken: async () => tokens.shift() as string,
    })
    const { told, names } = listen(client)
    await until(() => expect(names()).toEqual(['open']))
    client.send('whoAmI')
    await until(() => expect(told.at(-1)).toEqual(['whoAmI', 'ada']))
    client.send('leave', 1000)
    await until(() => expect(names().filter((name) => name === 'open')).toHaveLength(2))

    const url = `${guarded.url.replace('http', 'ws')}/events/ws?events=added`
    expect(asked).toEqual([
      [url, ['svc.v1', 'svc.token.ada']],
      [`${url}&token=b%20c`, ['svc.v1']],
    ])
    expect(consumed).toEqual(['ada', 'b c'])
  })

  it('that is refused shows as a drop: browsers do not tell why an upgrade failed', async () => {
    const tokens = ['no1', 'no2', 'ada']
    const client = clientOf({ host: guarded.url, acquireToken: async () => tokens.shift() ?? '' })
    const { names } = listen(client)

    await until(() => expect(names()).toContain('open'))
    expect(names()).toEqual('error reconnect error reconnect open'.split(' '))
    // Node asks a second time by itself after a 401.
    expect(new Set(consumed)).toEqual(new Set(['no1', 'no2', 'ada']))
  })
})

describe('a close', () => {
  it('by 1013 means to come again later, and is no drop (E-090)', async () => {
    const first = clientOf({ host: small.url })
    const held = listen(first)
    await until(() => expect(held.names()).toEqual(['open']))
    const second = listen(clientOf({ host: small.url }))
    await until(() => expect(second.names().length).toBeGreaterThan(1))
    expect(new Set(second.names())).toEqual(new Set(['reconnect']))
    first.close()

    await until(() => expect(second.names().at(-1)).toBe('open'))
    expect(second.names()).not.toContain('error')
  })

  it('by 1008 asks for a fresh token, and is final without one (E-090)', async () => {
    const signedIn = clientOf({ host: guarded.url, acquireToken: async () => 'ada' })
    const first = listen(signedIn)
    await until(() => expect(first.names()).toEqual(['open']))
    signedIn.send('leave', 1008)
    await until(() => expect(first.names()).toEqual(['open', 'reconnect', 'open']))

    const anonymous = clientOf()
    const { told, names } = listen(anonymous)
    await until(() => expect(names()).toEqual(['open']))
    anonymous.send('leave', 1008)
    await until(() => expect(names()).toEqual(['open', 'rejected', 'close']))
    expect(told[1]).toMatchObject(['rejected', { name: 'UnauthorizedError', message: 'as asked' }])
  })

  it('by 4403 is final (E-090)', async () => {
    const client = clientOf()
    const { told, names } = listen(client)
    await until(() => expect(names()).toEqual(['open']))
    client.send('leave', 4403)
    await until(() => expect(names()).toEqual(['open', 'rejected', 'close']))
    expect(told[1]?.[1]).toBeInstanceOf(ForbiddenError)
    expect(client.getState()).toBe('closed')
  })

  it('by anything else is a drop, which another attempt follows (E-081)', async () => {
    const client = clientOf()
    const { told, names } = listen(client)
    await until(() => expect(names()).toEqual(['open']))
    client.send('leave', 1000)
    await until(() => expect(names()).toEqual(['open', 'error', 'reconnect', 'open']))
    expect(told[1]).toMatchObject(['error', { message: 'The socket has closed: 1000 as asked' }])
  })
})

describe('a history', () => {
  async function dropped(size: number) {
    const said = defineEvent('said', t.Object({ n: t.Integer() }))
    const kept = defineWebSocketRouter({
      events: { said },
      messages: { leave: defineMessage(t.Integer(), ({ payload, ws }) => ws.close(payload)) },
      history: { size, ttl: 60_000 },
    })
    const server = await startTestServer(defineServer().websockets(kept))
    const client = createWSClient<typeof kept>({ host: server.url, reconnectDelay: 100 })
    const told: unknown[] = []
    client.subscribe({
      handlers: { said: ({ n }) => told.push(n) },
      onOpen: ({ recovered, reason }) => told.push(reason ?? recovered),
      onError: () => told.push('error'),
    })
    await until(() => expect(told).toEqual([false]))
    const drop = async () => {
      told.length = 0
      client.send('leave', 1000)
      await until(() => expect(told).toEqual(['error']))
    }
    const stop = async () => {
      client.close()
      await server.stop()
    }
    return { said, told, drop, stop }
  }

  it('brings what was missed by a drop, once', async () => {
    const { said, told, drop, stop } = await dropped(100)
    await drop()
    for (const n of [1, 2]) await said.emit({ n })
    await until(() => expect(told).toEqual(['error', true, 1, 2]))
    await drop()
    await said.emit({ n: 3 })
    await until(() => expect(told).toEqual(['error', true, 3]))
    await stop()
  })

  it('says that it does not go back that far', async () => {
    const { said, told, drop, stop } = await dropped(2)
    await drop()
    for (const n of [1, 2, 3, 4]) await said.emit({ n })
    await until(() => expect(told).toEqual(['error', 'expired']))
    await said.emit({ n: 5 })
    await until(() => expect(told).toEqual(['error', 'expired', 5]))
    await stop()
  })
})

describe('one subscription', () => {
  it('supersedes the one before (E-087)', async () => {
    const client = clientOf()
    const first = listen(client)
    await until(() => expect(first.names()).toEqual(['open']))
    const second = listen(client)
    await until(() => expect(second.names()).toEqual(['open']))
    await open.within(() => added.emit({ n: 1 }))

    await until(() => expect(second.names()).toEqual(['open', 'added']))
    expect(first.names()).toEqual(['open', 'close'])
    expect(client.send('whoAmI')).toBe(true)
    await until(() => expect(second.names()).toEqual(['open', 'added', 'whoAmI']))
  })
})
