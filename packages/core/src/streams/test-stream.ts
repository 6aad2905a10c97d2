import { once } from 'node:events'
import { connect } from 'node:net'

/** A frame as a client reads it; `data` is what its JSON says. */
export interface ReadFrame {
  event?: string
  data?: unknown
  id?: string
  retry?: string
}

export type TestStream = Awaited<ReturnType<typeof openTestStream>>

/** Opens a stream and keeps what arrives. What is refused has a body instead, and has ended. */
export async function openTestStream(url: string, headers: Record<string, string> = {}) {
  const leaving = new AbortController()
  const response = await fetch(url, { headers, signal: leaving.signal })
  const frames: ReadFrame[] = []
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream')
  const ended = isStream
    ? readInto(frames, response).catch(() => 'cut')
    : Promise.resolve('refused')
  return {
    status: response.status,
    headers: response.headers,
    frames,
    /** `ended` when the server ended it well, `cut` when the connection broke. */
    ended,
    refusal: isStream ? undefined : await response.json(),
    /** The payloads of an event, or those of all. */
    payloads: (event?: string) =>
      frames
        .filter((frame) => isEmission(frame) && (!event || frame.event === event))
        .map(({ data }) => data),
    close: () => leaving.abort(),
  }
}

/** Not what a stream says of itself. */
function isEmission({ id, event = '' }: ReadFrame) {
  return id !== undefined && !['connected', 'ping', 'gap'].includes(event)
}

async function readInto(frames: ReadFrame[], response: Response) {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const bytes of response.body ?? []) {
    rest += decoder.decode(bytes, { stream: true })
    const end = rest.lastIndexOf('\n\n')
    if (end < 0) continue
    frames.push(...readFrames(rest.slice(0, end)))
    rest = rest.slice(end + 2)
  }
  return 'ended'
}

/** The frames of a text that holds nothing but whole ones. */
export function readFrames(text: string) {
  return text.split('\n\n').filter(Boolean).map(readFrame)
}

function readFrame(text: string): ReadFrame {
  const fields = text.split('\n').map((line) => {
    const [name = '', value = ''] = /^([^:]*): ?(.*)$/s.exec(line)?.slice(1) ?? []
    return [name, name === 'data' ? JSON.parse(value) : value]
  })
  return Object.fromEntries(fields)
}

/** A connection on which a test writes what it likes, and which it may leave unread. */
export async function openTestSocket(url: string) {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  let text = ''
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  socket.setEncoding('utf8')
  socket.on('error', () => {})
  socket.on('data', (more) => {
    text += more
  })
  await once(socket, 'connect')
  return {
    socket,
    closed,
    /** All that has arrived. */
    received: () => text,
    get(path: string, { version = '1.1', method = 'GET', headers = [] as string[] } = {}) {
      const lines = [`${method} ${path} HTTP/${version}`, 'host: localhost', ...headers]
      socket.write(`${lines.join('\r\n')}\r\n\r\n`)
    },
  }
}

/** The body of a chunked answer, as far as its chunks are whole. */
export function unchunked(answer: string) {
  let rest = Buffer.from(answer.slice(answer.indexOf('\r\n\r\n') + 4))
  let body = ''
  for (;;) {
    const end = rest.indexOf('\r\n')
    const size = Number.parseInt(rest.subarray(0, end).toString(), 16)
    if (end < 0 || rest.length < end + 4 + size) return body
    body += rest.subarray(end + 2, end + 2 + size)
    rest = rest.subarray(end + 4 + size)
  }
}
