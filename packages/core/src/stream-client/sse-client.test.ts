import { type ServerResponse } from 'node:http'
import { describe, expect, it, vi } from 'vitest'
import { createSSEClient, type SSEClientOptions } from './create-sse-client.ts'
import {
  cuts,
  frame,
  listen,
  opens,
  opensAndEnds,
  type Router,
  startScriptedServer,
  testClients,
  until,
  waitMillis,
} from './test-sse-client.ts'

const script = await startScriptedServer()
const { host } = script
const { kept, clientOf } = testClients(host)
const pathsAsked = () => script.requests.map(({ method, url }) => `${method} ${url}`)

describe('a stream', () => {
  it('reaches the handlers, without an EventSource (E-077, E-086)', async () => {
    expect(globalThis).not.toHaveProperty('EventSource')
    script.steps = [opens(frame('added', { n: 1 }) + frame('ping', {}) + frame('added', { n: 2 }))]
    const { told } = listen(clientOf())

    await until(() => expect(told).toHaveLength(3))
    expect(told).toEqual([
      ['open', { events: ['added'], recovered: false }],
      ['added', 1],
      ['added', 2],
    ])
  })

  it('hands over each message with its name and id (E-033)', async () => {
    script.steps = [opens(frame('added', { n: 1 }, 'id: e-7\n') + frame('a,b', null))]
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
    await until(() => expect(script.requests).toHaveLength(1))
    listen(client, { events: ['a,b'] })
    await until(() => expect(script.requests).toHaveLength(2))

    expect(pathsAsked()).toEqual([
      'GET /events/stream?events=added,a%2Cb',
      'GET /events/stream?events=a%2Cb',
    ])
    expect(script.requests[0]?.headers).toMatchObject({ accept: 'text/event-stream' })
    expect(script.requests[0]?.headers).not.toHaveProperty('last-event-id')
  })

  it.each(['text/event-stream', 'Text/Event-Stream;charset=utf-8', 'text/event-stream ; x=y'])(
    'is what the server calls %s',
    async (type) => {
      script.steps = [
        (outgoing) => {
          outgoing.setHeader('content-type', type).write(frame('connected', { events: ['added'] }))
        },
      ]
      const { names } = listen(clientOf())
      await until(() => expect(names()).toEqual(['open']))
    },
  )

  it('takes no more than its first message for the opening', async () => {
    const { told, names } = listen(clientOf(), {
      handlers: { connected: () => told.push(['connected']) } as object,
    })
    script.steps = [opens(frame('connected', { n: 1 }))]
    await until(() => expect(names()).toEqual(['open', 'connected']))
  })

  it('goes on when a handler fails or a message is not JSON, and says so on the console', async () => {
    const complained = vi.spyOn(console, 'error').mockImplementation(() => {})
    const seen: number[] = []
    script.steps = [
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
    const client = kept(createSSEClient<Router>(options))
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

describe('subscribe', () => {
  it('supersedes the subscription before, and nothing late reaches a handler (E-087)', async () => {
    const client = clientOf()
    let old: ServerResponse | undefined
    script.steps = [
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
    script.steps = [opens(frame('added', { n: 1 }) + frame('added', { n: 2 }))]
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

    await until(() => expect(script.requests).toHaveLength(2))
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
    script.steps = [opensAndEnds(), cuts]
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
    script.steps = [
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
    expect(script.requests).toHaveLength(1)
  })

  it('ends a pause between attempts (E-089)', async () => {
    script.steps = [cuts]
    const { names, unsubscribe } = listen(clientOf({ reconnectDelay: 100 }))
    await until(() => expect(names()).toEqual(['error']))
    unsubscribe()
    await waitMillis(150)
    expect(script.requests).toHaveLength(1)
    expect(names()).toEqual(['error', 'close'])
  })
})
