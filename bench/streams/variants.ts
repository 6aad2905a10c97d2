export interface Variant {
  name: string
  /** Whether its router keeps a history, in a database. */
  history?: boolean
  label: string
  file: string
  form: 'SSE' | 'WebSocket'
  /** The path that a client requests; the index determines its token. */
  path: (index: number) => string
  /** The connection is open when this has arrived. */
  ready: string
  /** What a client sends after it has received something. */
  greeting?: { after: string; frame: Buffer }
}

const head = '\r\n\r\n'

export const variants: Variant[] = [
  {
    name: 'svc-sse',
    label: 'Svc, SSE',
    file: 'svc-sse.ts',
    form: 'SSE',
    path: (index) => `/events/stream?events=tick&token=t${index}`,
    ready: 'event: connected',
  },
  {
    name: 'svc-sse-history',
    history: true,
    label: 'Svc, SSE, history on',
    file: 'svc-sse.ts',
    form: 'SSE',
    path: (index) => `/events/stream?events=tick&token=t${index}`,
    ready: 'event: connected',
  },
  {
    name: 'hand-sse',
    label: 'SSE by hand: node:http, framed once',
    file: 'hand-sse.ts',
    form: 'SSE',
    path: () => '/',
    ready: head,
  },
  {
    name: 'better-sse',
    label: 'better-sse, channel',
    file: 'better-sse.ts',
    form: 'SSE',
    path: () => '/',
    ready: head,
  },
  {
    name: 'hono',
    label: 'Hono streamSSE',
    file: 'hono.ts',
    form: 'SSE',
    path: () => '/',
    ready: head,
  },
  {
    name: 'svc-ws',
    label: 'Svc, WebSocket',
    file: 'svc-ws.ts',
    form: 'WebSocket',
    path: (index) => `/events/ws?events=tick&token=t${index}`,
    ready: '"connected"',
  },
  {
    name: 'svc-ws-history',
    history: true,
    label: 'Svc, WebSocket, history on',
    file: 'svc-ws.ts',
    form: 'WebSocket',
    path: (index) => `/events/ws?events=tick&token=t${index}`,
    ready: '"connected"',
  },
  {
    name: 'hand-ws',
    label: 'WebSocket by hand: ws, framed once',
    file: 'hand-ws.ts',
    form: 'WebSocket',
    path: () => '/',
    ready: head,
  },
  {
    name: 'ws',
    label: 'ws, send',
    file: 'ws.ts',
    form: 'WebSocket',
    path: () => '/',
    ready: head,
  },
  {
    name: 'socket-io',
    label: 'Socket.IO, websocket transport',
    file: 'socket-io.ts',
    form: 'WebSocket',
    path: () => '/socket.io/?EIO=4&transport=websocket',
    ready: '40{',
    // Engine.IO sends `0{…}`; `40` joins the default namespace. Clients mask, here with zeros.
    greeting: { after: '0{', frame: Buffer.from([0x81, 0x82, 0, 0, 0, 0, 0x34, 0x30]) },
  },
]

/** The request that opens a connection. */
export function openingRequest({ form, path }: Variant, origin: string, index: number) {
  const { host } = new URL(origin)
  const first = `GET ${path(index)} HTTP/1.1\r\nhost: ${host}\r\n`
  if (form === 'SSE') return `${first}accept: text/event-stream\r\n\r\n`
  const upgrade = `origin: ${origin}\r\nconnection: Upgrade\r\nupgrade: websocket\r\n`
  const key = 'sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n'
  return `${first}${upgrade}${key}\r\n`
}
