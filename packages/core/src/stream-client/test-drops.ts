import { createServer, type IncomingMessage, request } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach } from 'vitest'

/** Where a request goes. */
type Route = (incoming: IncomingMessage) => string

/** Stands between clients and servers: it writes down what is asked for, and cuts streams. */
export async function startDrops(route: Route) {
  const streams = new Set<{ destroy(): unknown }>()
  const upstreams = new Set<{ destroy(): unknown }>()
  const asked: string[] = []
  const note = ({ method, url = '' }: IncomingMessage) => {
    const { pathname, searchParams } = new URL(url, 'http://localhost')
    asked.push([method, pathname, searchParams.get('events')].filter(Boolean).join(' '))
  }

  const server = createServer((incoming, outgoing) => {
    note(incoming)
    const { method, headers, url = '' } = incoming
    const upstream = request(new URL(url, route(incoming)), { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    if (url.startsWith('/events/stream')) {
      streams.add(outgoing)
      upstreams.add(upstream)
    }
    // The client of a stream that is lost to the server alone does not learn of it.
    upstream.on('error', () => outgoing.headersSent || outgoing.destroy())
    outgoing.on('close', () => upstream.destroy())
    incoming.pipe(upstream)
  })
  server.on('upgrade', (incoming, socket: Socket) => {
    note(incoming)
    const { hostname, port } = new URL(route(incoming))
    const upstream = connect(Number(port), hostname)
    const lines = incoming.rawHeaders.map((text, at) =>
      at % 2 === 0 ? `${text}: ` : `${text}\r\n`,
    )
    upstream.write(`GET ${incoming.url} HTTP/1.1\r\n${lines.join('')}\r\n`)
    streams.add(socket)
    for (const [one, other] of [
      [socket, upstream],
      [upstream, socket],
    ] as const) {
      one.on('error', () => {})
      one.on('close', () => other.destroy())
      one.pipe(other)
    }
  })
  await new Promise<void>((listening) => server.listen(0, 'localhost', listening))
  const cut = () => {
    for (const stream of streams) stream.destroy()
    streams.clear()
  }
  afterEach(() => {
    cut()
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo // never a pipe: it listens on a port
  return {
    url: `http://localhost:${port}`,
    cut,
    /** Event streams are gone for the server, and not for their clients. */
    cutFromServer: () => {
      for (const upstream of upstreams) upstream.destroy()
      upstreams.clear()
    },
    /** The streams that were asked for, by their names. */
    streams: () =>
      asked.flatMap((line) => /^GET \/events\/(?:stream|ws) ?(.*)$/.exec(line)?.[1] ?? []),
    changes: () => asked.filter((line) => line === 'POST /events/subscriptions').length,
  }
}
