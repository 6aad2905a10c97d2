/**
 * The load driver, a process of its own. It speaks HTTP/1.1 over raw sockets and parses only what
 * it counts: on two cores, a client that costs as much as the server would be the one that is
 * measured. Its own CPU share is part of the result.
 */
import { connect, type Socket } from 'node:net'

export interface LoadOrder {
  url: string
  method: 'GET' | 'POST'
  path: string
  /** Paths for one request each, used in turn, in place of that for all. */
  paths?: string[]
  headers: Record<string, string>
  /** Headers for one request each, used in turn, beside those for all. */
  each?: Record<string, string>[]
  body?: string
  connections: number
  millis: number
}

export interface LoadResult {
  answered: number
  failed: number
  millis: number
  cpuMicros: number
  firstFailure?: string
}

const terminator = '\r\n\r\n'

function requestBytes(order: LoadOrder, host: string, own: Record<string, string>, at: number) {
  const body = order.body ?? ''
  const headers = Object.entries({
    host,
    ...order.headers,
    ...own,
    ...(order.method === 'POST'
      ? { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }
      : {}),
  })
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  return Buffer.from(
    `${order.method} ${order.paths?.[at] ?? order.path} HTTP/1.1\r\n${lines}\r\n${body}`,
  )
}

/** The bytes of the whole answer, or 0 if its end has not arrived yet. */
function answerLength(text: string) {
  const head = text.indexOf(terminator)
  if (head === -1) return 0
  const named = /\r\ncontent-length: *(\d+)/i.exec(text.slice(0, head))
  if (named) return head + 4 + Number(named[1])
  const end = text.indexOf('\r\n0\r\n\r\n', head)
  return end === -1 ? 0 : end + 7
}

async function load(order: LoadOrder): Promise<LoadResult> {
  const { hostname, port, host } = new URL(order.url)
  const requests = (order.each ?? [{}]).map((own, at) => requestBytes(order, host, own, at))
  let sent = 0
  // There is at least one.
  const nextRequest = () => requests[sent++ % requests.length] as Buffer
  const result: LoadResult = { answered: 0, failed: 0, millis: 0, cpuMicros: 0 }
  const sockets: Socket[] = []
  let open = order.connections
  let ended = false
  let finish = () => {}
  const finished = new Promise<void>((resolve) => (finish = resolve))

  function fail(reason: string) {
    result.failed++
    result.firstFailure ??= reason
  }

  function drive() {
    let pending = ''
    const socket = connect({
      host: hostname,
      port: Number(port),
      noDelay: true,
      onread: {
        buffer: Buffer.allocUnsafe(64 * 1024),
        callback(size, buffer) {
          const text = pending + (buffer as Buffer).toString('latin1', 0, size) // the buffer given above
          const length = answerLength(text)
          if (length === 0 || text.length < length) {
            pending = text
            return true
          }
          pending = ''
          if (text[9] === '2') result.answered++
          else fail(text.slice(0, 300))
          if (!ended) socket.write(nextRequest())
          else socket.destroy()
          return true
        },
      },
    })
    socket.on('connect', () => socket.write(nextRequest()))
    socket.on('error', (error) => fail(error.message))
    socket.on('close', () => {
      if (!ended) fail('connection closed by the server')
      if (--open === 0) finish()
    })
    sockets.push(socket)
  }

  const startedAt = performance.now()
  const startedCpu = process.cpuUsage()
  for (let i = 0; i < order.connections; i++) drive()
  const timer = setTimeout(() => {
    ended = true
    result.millis = performance.now() - startedAt
    const { user, system } = process.cpuUsage(startedCpu)
    result.cpuMicros = user + system
    setTimeout(() => sockets.forEach((socket) => socket.destroy()), 1_000).unref()
  }, order.millis)
  await finished
  clearTimeout(timer)
  if (result.millis === 0) result.millis = performance.now() - startedAt
  return result
}

process.on('message', (order) => {
  // The message is of our own protocol.
  void load(order as LoadOrder).then((result) => process.send?.(result))
})
process.on('disconnect', () => process.exit())
