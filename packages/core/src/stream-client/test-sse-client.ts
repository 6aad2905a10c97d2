import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, vi } from 'vitest'
import { t } from '../contract.ts'
import { defineEvent } from '../events/event.ts'
import { defineEventRouter } from '../events/event-router.ts'
import { createSSEClient, type SSEClientOptions } from './create-sse-client.ts'
import type { SSEClient, StreamSubscription } from './subscription.ts'

const _router = defineEventRouter({
  added: defineEvent('item.added', t.Object({ n: t.Integer() })),
  'a,b': defineEvent('a.b'),
})
export type Router = typeof _router

/** What the server does with one request. */
export type Step = (outgoing: ServerResponse, incoming: IncomingMessage) => void

export const frame = (event: string, data: unknown, more = '') =>
  `${more}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`

interface Connected {
  recovered?: boolean
  reason?: string
  /** Of the place where the stream begins. */
  id?: string
}

export function opens(text = '', { id, ...connected }: Connected = {}): Step {
  const content = { events: ['added'], timestamp: '', ...connected }
  return (outgoing) => {
    outgoing.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
    outgoing.write(frame('connected', content, id && `id: ${id}\n`) + text)
  }
}

export const opensAndEnds = (text = '', connected: Connected = {}): Step => {
  return (outgoing, incoming) => {
    opens(text, connected)(outgoing, incoming)
    outgoing.end()
  }
}

export function refuses(status: number, name: string, headers: Record<string, string> = {}): Step {
  return (outgoing) => {
    outgoing.writeHead(status, { 'content-type': 'application/json', ...headers })
    const error = { code: name, message: 'No.', requestId: 'r1' }
    outgoing.end(JSON.stringify({ __type: name, message: 'No.', error }))
  }
}

export const cuts: Step = (outgoing) => void outgoing.socket?.destroy()

/** The outside: a server that does what a test tells it, one step for each request. */
export async function startScriptedServer() {
  const script = { steps: [] as Step[], requests: [] as IncomingMessage[], host: '' }
  const http = createServer((incoming, outgoing) => {
    script.requests.push(incoming)
    const step = script.steps.shift() ?? opens()
    step(outgoing, incoming)
  })
  await new Promise<void>((listening) => http.listen(0, 'localhost', listening))
  script.host = `http://localhost:${(http.address() as AddressInfo).port}`
  afterEach(() => {
    script.steps = []
    script.requests = []
  })
  afterAll(() => {
    http.closeAllConnections()
    http.close()
  })
  return script
}

/** Clients of such a server, which are closed after each test. */
export function testClients(host: string) {
  const clients: SSEClient<Router>[] = []
  afterEach(() => {
    for (const client of clients.splice(0)) client.close()
    vi.unstubAllGlobals()
    vi.unstubAllEnvs()
  })

  /** Closes one that a test has made by itself. */
  function kept(client: SSEClient<Router>) {
    clients.push(client)
    return client
  }

  const clientOf = (options: SSEClientOptions = {}) =>
    kept(createSSEClient<Router>({ host, reconnectDelay: 20, ...options }))

  return { kept, clientOf }
}

/** Subscribes, and writes down what is told, in its order. */
export function listen(client: SSEClient<Router>, more: Partial<StreamSubscription<Router>> = {}) {
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

export const until = (check: () => void) => vi.waitFor(check, { timeout: 5000, interval: 5 })
export const waitMillis = (millis: number) => new Promise((resolve) => setTimeout(resolve, millis))
