import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { t, UnauthorizedError } from '../contract.ts'
import { defineEvent } from '../events/event.ts'
import { defineEventRouter } from '../events/event-router.ts'
import { createAuthSSEClient } from './create-auth-sse-client.ts'
import { createSSEClient, type SSEClientOptions } from './create-sse-client.ts'
import type { SSEClient, StreamSubscription } from './subscription.ts'

const _router = defineEventRouter({
  added: defineEvent('item.added', t.Object({ n: t.Integer() })),
  'a,b': defineEvent('a.b'),
})
type Router = typeof _router

// The outside: a server that does what a test tells it, one step for each request.
type Step = (outgoing: ServerResponse, incoming: IncomingMessage) => void

let steps: Step[] = []
let requests: IncomingMessage[] = []
const http = createServer((incoming, outgoing) => {
  requests.push(incoming)
  const step = steps.shift() ?? opens()
  step(outgoing, incoming)
})
await new Promise<void>((listening) => http.listen(0, 'localhost', listening))
const host = `http://localhost:${(http.address() as AddressInfo).port}`
afterAll(() => {
  http.closeAllConnections()
  http.close()
})

const frame = (event: string, data: unknown, more = '') =>
  `${more}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`

function opens(text = '', connected: object = {}): Step {
  return (outgoing) => {
    outgoing.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
    outgoing.write(frame('connected', { events: ['added'], timestamp: '', ...connected }) + text)
  }
}

const opensAndEnds = (text = ''): Step => {
  return (outgoing, incoming) => {
    opens(text)(outgoing, incoming)
    outgoing.end()
  }
}

function refuses(status: number, name: string, headers: Record<string, string> = {}): Step {
  return (outgoing) => {
    outgoing.writeHead(status, { 'content-type': 'application/json', ...headers })
    const error = { code: name, message: 'No.', requestId: 'r1' }
    outgoing.end(JSON.stringify({ __type: name, message: 'No.', error }))
  }
}

const cuts: Step = (outgoing) => void outgoing.socket?.destroy()

const clients: SSEClient<Router>[] = []
afterEach(() => {
  for (const client of clients.splice(0)) client.close()
  steps = []
  requests = []
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
})

function clientOf(options: SSEClientOptions = {}) {
  const client = createSSEClient<Router>({ host, reconnectDelay: 20, ...options })
  clients.push(client)
  return client
}

/** Subscribes, and writes down whatever is told, in its order. */
function listen(client: SSEClient<Router>, more: Partial<StreamSubscription<Router>> = {}) {
  const told: [string, unknown?][] = []
  const unsubscribe = client.subscribe({
    handlers: { added: ({ n }) => told.push(['added', n]) },
    onOpen: (opened) => told.push(['open', opened]),
    onError: (error) => told.push(['error', error]),
    onReconnect: (attempt) => told.push(['reconnect', attempt]),
    onRejected: (error) => told.push(['rejected', error]),
    onClose: () => told.push(['close']),
    ...more,
  })
  return { told, unsubscribe, names: () => told.map(([name]) => name) }
}

const until = (check: () => void) => vi.waitFor(check, { timeout: 5000, interval: 5 })
const waitMillis = (millis: number) => new Promise((resolve) => setTimeout(resolve, millis))
const pathsAsked = () => requests.map(({ method, url }) => `${method} ${url}`)

describe('a stream', () => {
  it('reaches the handlers, without an EventSource (E-077, E-086)', async () => {
    expect(globalThis).not.toHaveProperty('EventSource')
    steps = [opens(frame('added', { n: 1 }) + frame('ping', {}) + frame('added', { n: 2 }))]
    const { told } = listen(clientOf())

    await until(() => expect(told).toHaveLength(3))
    expect(told).toEqual([
      ['open', { events: ['added'], recovered: false }],
      ['added', 1],
      ['added', 2],
    ])
  })

  it('hands over each message with its name and id (E-033)', async () => {
    steps = [opens(frame('added', { n: 1 }, 'id: e-7\n') + frame('a,b', null))]
    const messages: unknown[] = []
    const keep = (_payload: unknown, message: unknown) => messages.push(message)
    listen(clientOf(), { handlers: { added: keep, 'a,b': keep } })

    await until(() => expect(messages).toHaveLength(2))
    expect(messages).toEqual([
      { event: 'added', data: { n: 1 }, id: 'e-7' },
      { event: 'a,b', data: null, id: 'e-7' },
    ])
  })

  it('is asked for by the names of its events, each encoded by itself', async () => {
    const client = clientOf()
    listen(client, { handlers: { added: () => {}, 'a,b': () => {} } })
    await until(() => expect(requests).toHaveLength(1))
    listen(client, { events: ['a,b'] })
    await until(() => expect(requests).toHaveLength(2))

    expect(pathsAsked()).toEqual([
      'GET /events/stream?events=added,a%2Cb',
      'GET /events/stream?events=a%2Cb',
    ])
    expect(requests[0]?.headers).toMatchObject({ accept: 'text/event-stream' })
    expect(requests[0]?.headers).not.toHaveProperty('last-event-id')
  })

  it('takes no more than its first message for the opening', async () => {
    const { told, names } = listen(clientOf(), {
      handlers: { connected: () => told.push(['connected']) } as object,
    })
    steps = [opens(frame('connected', { n: 1 }))]
    await until(() => expect(names()).toEqual(['open', 'connected']))
  })

  it('goes on when a handler fails or a message is not JSON, and says so on the console', async () => {
    const complained = vi.spyOn(console, 'error').mockImplementation(() => {})
    const seen: number[] = []
    steps = [
      opens(`event: added\ndata: {\n\n${[1, 2, 3].map((n) => frame('added', { n })).join('')}`),
    ]
    const { told } = listen(clientOf(), {
      handlers: {
        added: ({ n }) => {
          seen.push(n)
          if (n === 1) throw new Error('mine')
          return n === 2 ? Promise.reject(new Error('mine, later')) : undefined
        },
      },
      onOpen: () => {
        throw new Error('mine too')
      },
    })

    await until(() => expect(seen).toEqual([1, 2, 3]))
    await until(() => expect(complained).toHaveBeenCalledTimes(4))
    expect(told).toEqual([])
  })
})

describe('where a stream is', () => {
  const askedOf = async (options: SSEClientOptions) => {
    const asked = vi.fn<typeof fetch>(() => new Promise(() => {}))
    vi.stubGlobal('fetch', asked)
    const client = createSSEClient<Router>(options)
    clients.push(client)
    client.subscribe({ handlers: { added: () => {} } })
    await until(() => expect(asked).toHaveBeenCalled())
    const [url, init] = asked.mock.calls[0] ?? []
    return { url, credentials: init?.credentials }
  }

  it('is the variable’s backend, else this machine’s (E-078)', async () => {
    vi.stubEnv('NEXT_PUBLIC_SVC_API_URL', undefined)
    const { url } = await askedOf({})
    expect(url).toBe('http://localhost:8790/events/stream?events=added')
    vi.stubEnv('NEXT_PUBLIC_SVC_API_URL', 'https://api.example.com/')
    const { url: configured } = await askedOf({})
    expect(configured).toBe('https://api.example.com/events/stream?events=added')
    const { url: given } = await askedOf({ host: 'https://other.example.com/base/' })
    expect(given).toBe('https://other.example.com/base/events/stream?events=added')
  })

  it('is /events/stream, or another path (E-079)', async () => {
    expect((await askedOf({ host })).url).toBe(`${host}/events/stream?events=added`)
    expect((await askedOf({ host, pathname: '/sse' })).url).toBe(`${host}/sse?events=added`)
  })

  it('is the full URL where one is given (E-080)', async () => {
    const url = 'https://old.example.com/live?v=1#top'
    const { url: asked } = await askedOf({ host, pathname: '/sse', url })
    expect(asked).toBe('https://old.example.com/live?v=1&events=added')
  })

  it('gets cookies of another origin only withCredentials (E-082)', async () => {
    expect((await askedOf({ host })).credentials).toBe('same-origin')
    expect((await askedOf({ host, withCredentials: true })).credentials).toBe('include')
  })
})

describe('a drop', () => {
  it('is told, and another attempt follows (E-081, E-086)', async () => {
    steps = [opensAndEnds(frame('added', { n: 1 })), cuts, opens(frame('added', { n: 2 }))]
    const { told, names } = listen(clientOf())

    await until(() => expect(told.at(-1)).toEqual(['added', 2]))
    expect(names()).toEqual('open added error reconnect error reconnect open added'.split(' '))
    expect(told.filter(([name]) => name === 'reconnect')).toEqual([
      ['reconnect', 1],
      ['reconnect', 2],
    ])
    expect(told[2]).toMatchObject(['error', { name: 'ApiUnreachableError', status: 503 }])
  })

  it('is the end without reconnect (E-081)', async () => {
    steps = [opensAndEnds()]
    const client = clientOf({ reconnect: false })
    const { names } = listen(client)

    await until(() => expect(names()).toEqual(['open', 'error', 'close']))
    expect(client.getState()).toBe('closed')
    await waitMillis(60)
    expect(requests).toHaveLength(1)
  })

  it('is followed by as many attempts as there may be in a row, counted anew once it is open (E-081)', async () => {
    steps = [cuts, cuts, opensAndEnds(), cuts, cuts]
    const { told, names } = listen(clientOf({ maxReconnectAttempts: 2 }))

    await until(() => expect(names()).toContain('close'))
    expect(told.filter(([name]) => name === 'reconnect').map(([, attempt]) => attempt)).toEqual([
      1, 2, 1, 2,
    ])
    expect(requests).toHaveLength(5)
  })

  it('is waited out for as long as the stream said, once', async () => {
    steps = [opensAndEnds('retry: 300\n\n'), cuts]
    const { names } = listen(clientOf())

    await until(() => expect(names()).toContain('error'))
    await waitMillis(200)
    expect(requests).toHaveLength(1)
    const waited = Date.now()
    await until(() => expect(requests).toHaveLength(3))
    expect(Date.now() - waited).toBeLessThan(290)
  })

  it('is followed by a request for what was missed', async () => {
    steps = [
      opensAndEnds(frame('added', { n: 1 }, 'id: é-1\n')),
      cuts,
      opens('', { recovered: true }),
    ]
    const { told } = listen(clientOf())

    await until(() => expect(told.at(-1)).toMatchObject(['open', { recovered: true }]))
    const ids = requests.map(({ headers }) => headers['last-event-id'])
    expect(ids).toEqual([undefined, 'Ã©-1', 'Ã©-1'])
  })

  it('is what an answer is that is no event stream, or one without end', async () => {
    const isPage: Step = (outgoing) =>
      outgoing.setHeader('content-type', 'text/html').end('Welcome')
    const isEndless: Step = (outgoing) => {
      opens(`data: ${'x'.repeat(9 * 1024 * 1024)}`)(outgoing, requests[0] as IncomingMessage)
    }
    steps = [isPage, isEndless, refuses(500, 'Error')]
    const { told, names } = listen(clientOf())

    await until(() => expect(names()).toHaveLength(8))
    expect(names()).toEqual('error reconnect open error reconnect error reconnect open'.split(' '))
    expect(told[3]).toMatchObject(['error', { cause: expect.any(RangeError) }])
    expect(told[5]).toMatchObject(['error', { status: 500, requestId: 'r1' }])
  })

  it('uses up no attempts while the browser is offline', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      vi.stubGlobal('navigator', { onLine: false })
      vi.stubGlobal('fetch', () => Promise.reject(new TypeError('no network')))
      const client = clientOf({ maxReconnectAttempts: 1 })
      const { names } = listen(client)
      for (const _ of [1, 2, 3]) await vi.advanceTimersByTimeAsync(30_000)
      expect(names().filter((name) => name === 'reconnect')).toHaveLength(3)
      expect(client.getState()).toBe('error')
      vi.stubGlobal('navigator', { onLine: true })
      for (const _ of [1, 2]) await vi.advanceTimersByTimeAsync(30_000)
      // The one that waited while offline, and the one that there may be.
      expect(names().filter((name) => name === 'reconnect')).toHaveLength(5)
      expect(client.getState()).toBe('closed')
    } finally {
      vi.useRealTimers()
    }
  })

  it('is noticed by silence', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    try {
      const { names } = listen(clientOf())
      await vi.waitFor(() => expect(names()).toEqual(['open']))
      await vi.advanceTimersByTimeAsync(30_100)
      await vi.waitFor(() => expect(names()).toEqual(['open', 'error', 'reconnect', 'open']))
    } finally {
      vi.useRealTimers()
    }
  })
})

describe('a refusal', () => {
  it.each([
    [400, 'ValidationError'],
    [401, 'UnauthorizedError'],
    [403, 'ForbiddenError'],
    [404, 'NotFoundError'],
  ])('by %i is final, and no drop (E-090)', async (status, name) => {
    steps = [refuses(status, name)]
    const client = clientOf()
    const { told, names } = listen(client)

    await until(() => expect(names()).toEqual(['rejected', 'close']))
    expect(told[0]).toMatchObject(['rejected', { name, status, message: 'No.', requestId: 'r1' }])
    expect(told[0]?.[1]).toBeInstanceOf(Error)
    expect(client.getState()).toBe('closed')
    await waitMillis(60)
    expect(requests).toHaveLength(1)
  })

  it.each([429, 503])('by %i asks to come again, and is no drop (E-090)', async (status) => {
    steps = [refuses(status, 'ServiceUnavailableError', { 'retry-after': '0.3' })]
    const { names } = listen(clientOf())

    await until(() => expect(requests).toHaveLength(1))
    await waitMillis(200)
    expect(requests).toHaveLength(1)
    await until(() => expect(names()).toEqual(['reconnect', 'open']))
  })

  it('can be answered by subscribing anew', async () => {
    steps = [refuses(403, 'ForbiddenError'), opens(frame('added', { n: 1 }))]
    const client = clientOf()
    let second: ReturnType<typeof listen> | undefined
    const first = listen(client, { onRejected: () => (second = listen(client)) })

    await until(() => expect(second?.names()).toEqual(['open', 'added']))
    expect(first.names()).toEqual(['close'])
    expect(client.getState()).toBe('open')
  })
})

describe('acquireToken', () => {
  it('mints a token for every attempt, which goes into the query (E-083, E-084)', async () => {
    steps = [opensAndEnds(), refuses(401, 'UnauthorizedError'), cuts]
    let minted = 0
    const { names } = listen(clientOf({ acquireToken: async () => `t&${++minted}` }))

    await until(() => expect(requests).toHaveLength(4))
    expect(requests.map(({ url }) => url)).toEqual(
      [1, 2, 3, 4].map((n) => `/events/stream?events=added&token=t%26${n}`),
    )
    await until(() => expect(names().at(-1)).toBe('open'))
    // The token that was refused is nobody's business: a fresh one helped (E-090).
    expect(names()).toEqual('open error reconnect reconnect error reconnect open'.split(' '))
  })

  it('is called three times more when its tokens are refused (E-090)', async () => {
    steps = Array.from({ length: 9 }, () => refuses(401, 'UnauthorizedError'))
    const { told, names } = listen(clientOf({ acquireToken: async () => 't' }))

    await until(() => expect(names()).toContain('close'))
    expect(names()).toEqual('reconnect reconnect reconnect rejected close'.split(' '))
    expect(told.at(-2)?.[1]).toBeInstanceOf(UnauthorizedError)
    expect(requests).toHaveLength(4)
  })

  it('refuses by what it throws, or drops (E-090)', async () => {
    const failures = [new TypeError('offline'), new UnauthorizedError()]
    const acquireToken = () => Promise.reject(failures.shift())
    const { told, names } = listen(clientOf({ acquireToken }))

    await until(() => expect(names()).toEqual(['error', 'reconnect', 'rejected', 'close']))
    expect(told[0]).toMatchObject(['error', { cause: expect.any(TypeError) }])
    expect(requests).toHaveLength(0)
  })

  it('is not called for a subscription that ends at once', async () => {
    const acquireToken = vi.fn<() => Promise<string>>(async () => 't')
    const { unsubscribe } = listen(clientOf({ acquireToken }))
    unsubscribe()
    await waitMillis(30)
    expect(acquireToken).not.toHaveBeenCalled()
  })
})

describe('createAuthSSEClient', () => {
  const mints: Step = (outgoing) => outgoing.end('{"token":"minted"}')

  const connect = (options: Parameters<typeof createAuthSSEClient>[0]) => {
    const client = createAuthSSEClient<Router>({ host, reconnectDelay: 20, ...options })
    clients.push(client)
    return listen(client)
  }

  it('mints by eventsToken through the RPC proxy, before every attempt (E-085)', async () => {
    steps = [mints, opensAndEnds(), mints, opens()]
    const { names } = connect({ rpcBaseUrl: `${host}/my/rpc` })

    await until(() => expect(names()).toEqual(['open', 'error', 'reconnect', 'open']))
    const attempt = ['POST /my/rpc/eventsToken', 'GET /events/stream?events=added&token=minted']
    expect(pathsAsked()).toEqual([...attempt, ...attempt])
    expect(requests[0]?.headers).toMatchObject({ 'content-type': 'application/json' })
  })

  it('finds the proxy under /api/rpc (E-085)', async () => {
    const asked = vi.fn<typeof fetch>(() => new Promise(() => {}))
    vi.stubGlobal('fetch', asked)
    connect({})
    await until(() => expect(asked).toHaveBeenCalled())
    expect(asked.mock.calls[0]?.[0]).toBe('/api/rpc/eventsToken')
  })

  it('asks the API itself when it can sign', async () => {
    steps = [mints, opens()]
    const { names } = connect({
      pathname: '/live/stream',
      sign: async ({ method, url }) => ({ authorization: `${method} ${url}` }),
    })

    await until(() => expect(names()).toEqual(['open']))
    expect(pathsAsked()).toEqual(['POST /live/token', 'GET /live/stream?events=added&token=minted'])
    expect(requests[0]?.headers.authorization).toBe(`POST ${host}/live/token`)
  })

  it('is refused when nobody is signed in (E-090)', async () => {
    steps = [refuses(401, 'UnauthorizedError')]
    const { names } = connect({ rpcBaseUrl: host })
    await until(() => expect(names()).toEqual(['rejected', 'close']))
  })
})

describe('subscribe', () => {
  it('supersedes the subscription before, and nothing late reaches anybody (E-087)', async () => {
    const client = clientOf()
    let old: ServerResponse | undefined
    steps = [
      (outgoing, incoming) => {
        old = outgoing
        opens()(outgoing, incoming)
      },
    ]
    const first = listen(client)
    await until(() => expect(first.names()).toEqual(['open']))
    const closed = new Promise((resolve) => old?.once('close', resolve))
    old?.write(frame('added', { n: 1 }))
    const second = listen(client)

    expect(first.names()).toEqual(['open', 'close'])
    await closed
    await until(() => expect(second.names()).toEqual(['open']))
    first.unsubscribe()
    expect(client.getState()).toBe('open')
    expect(first.names()).toEqual(['open', 'close'])
  })

  it('may come from a handler, whose chunk then ends there (E-087)', async () => {
    steps = [opens(frame('added', { n: 1 }) + frame('added', { n: 2 }))]
    const client = clientOf()
    const seen: number[] = []
    const first = listen(client, {
      handlers: {
        added: ({ n }) => {
          seen.push(n)
          listen(client)
        },
      },
    })

    await until(() => expect(requests).toHaveLength(2))
    expect(seen).toEqual([1])
    expect(first.names()).toEqual(['open', 'close'])
  })
})

describe('getState', () => {
  it('is connecting, open, error in between, and closed (E-088)', async () => {
    const states: string[] = []
    const client = clientOf({ maxReconnectAttempts: 1 })
    const note = () => states.push(client.getState())
    expect(client.getState()).toBe('closed')
    steps = [opensAndEnds(), cuts]
    listen(client, { onOpen: note, onError: note, onReconnect: note, onClose: note })
    note()

    await until(() => expect(states).toHaveLength(6))
    expect(states).toEqual(['connecting', 'open', 'error', 'connecting', 'error', 'closed'])
  })
})

describe('close', () => {
  it('ends the connection and every attempt (E-089)', async () => {
    const client = clientOf()
    let socket: ServerResponse | undefined
    steps = [
      (outgoing, incoming) => {
        socket = outgoing
        opens()(outgoing, incoming)
      },
    ]
    const { names } = listen(client)
    await until(() => expect(names()).toEqual(['open']))
    const left = new Promise((resolve) => socket?.once('close', resolve))
    client.close()
    client.close()

    expect(names()).toEqual(['open', 'close'])
    expect(client.getState()).toBe('closed')
    await left
    await waitMillis(60)
    expect(requests).toHaveLength(1)
  })

  it('ends a pause between attempts (E-089)', async () => {
    steps = [cuts]
    const { names, unsubscribe } = listen(clientOf({ reconnectDelay: 100 }))
    await until(() => expect(names()).toEqual(['error']))
    unsubscribe()
    await waitMillis(150)
    expect(requests).toHaveLength(1)
    expect(names()).toEqual(['error', 'close'])
  })
})
