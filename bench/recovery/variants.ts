export interface Variant {
  name: string
  label: string
  file: string
  /** Whether its history survives its process. */
  outlives?: boolean
  /** The request that opens a connection; the index makes its token. */
  request(host: string, given: { index: number; lastId: string | undefined }): string
  /** The connection is open when this has arrived. */
  ready: RegExp
  /** The id of the last frame, which the client sends when it reconnects. */
  id: RegExp
  /** What a client sends after it has received something. */
  greeting?: { after: string; frame(lastId: string | undefined): Buffer }
}

const sse = (path: string, host: string, lastId: string | undefined) =>
  `GET ${path} HTTP/1.1\r\nhost: ${host}\r\naccept: text/event-stream\r\n` +
  `${lastId === undefined ? '' : `last-event-id: ${lastId}\r\n`}\r\n`

export const svc: Variant = {
  name: 'svc',
  label: 'Svc, SSE',
  file: 'svc.ts',
  outlives: true,
  request: (host, { index, lastId }) =>
    sse(`/events/stream?events=tick&token=t${index}`, host, lastId),
  ready: /event: connected\ndata: [^\n]*\n\n/,
  id: /^id: (\S+)\nevent: tick$/m,
}

export const variants: Variant[] = [
  svc,
  {
    name: 'hand-sse',
    label: 'SSE by hand: node:http, an array in memory',
    file: 'hand-sse.ts',
    request: (host, { lastId }) => sse('/', host, lastId),
    ready: /\r\n\r\n/,
    id: /^id: (\S+)\nevent: tick$/m,
  },
  {
    name: 'socket-io',
    label: 'Socket.IO, connection state recovery, adapter in memory',
    file: 'socket-io.ts',
    request: (host) =>
      `GET /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\nhost: ${host}\r\norigin: http://${host}\r\n` +
      'connection: Upgrade\r\nupgrade: websocket\r\n' +
      'sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
    // It sends the missed events before it says that the client has joined.
    ready: /40\{[^}]*\}|42\[/,
    // It sends its own id when the client joins, and the place with each packet.
    id: /"pid":"([^"]+)"[^]*"\},"([^"]+)"\]/,
    greeting: { after: '0{', frame: (lastId) => textFrame(`40${recovery(lastId)}`) },
  },
]

function recovery(lastId: string | undefined) {
  const [pid, offset] = lastId?.split(' ') ?? []
  return pid === undefined ? '' : JSON.stringify({ pid, offset })
}

/** A client's frame, which is masked, here with zeros. */
function textFrame(text: string) {
  return Buffer.concat([Buffer.from([0x81, 0x80 | text.length, 0, 0, 0, 0]), Buffer.from(text)])
}
