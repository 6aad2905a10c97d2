import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'
import { createWSClient } from './create-ws-client.ts'
import type { AnyWebSocketRouter, WSClient, WSSubscription } from './subscription.ts'

type Step = (socket: WebSocket) => void

export function sends(...frames: object[]): Step {
  return (socket) => {
    for (const frame of frames) socket.send(JSON.stringify(frame))
  }
}

export function sendsAndEnds(...frames: object[]): Step {
  return (socket) => {
    sends(...frames)(socket)
    socket.close()
  }
}

/** The outside: a server of WebSockets that does what a test tells it, one step for each connection. */
export async function startScriptedSockets() {
  const script = { steps: [] as Step[], asked: [] as string[], subscribe }
  const server = new WebSocketServer({ port: 0, host: 'localhost' })
  const clients: WSClient<AnyWebSocketRouter>[] = []
  server.on('connection', (socket, { url = '' }) => {
    script.asked.push(url)
    script.steps.shift()?.(socket)
  })
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // never a pipe: it listens on a port

  /** A client of it, which is closed after the test. */
  function subscribe(handlers: object, more: Partial<WSSubscription<AnyWebSocketRouter>> = {}) {
    const host = `http://localhost:${port}`
    const client = createWSClient<AnyWebSocketRouter>({ host, reconnectDelay: 10 })
    clients.push(client)
    client.subscribe({ handlers, ...more })
  }

  afterEach(() => {
    for (const client of clients.splice(0)) client.close()
    script.steps = []
    script.asked.length = 0
  })
  afterAll(() => server.close())
  return script
}
