import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { listen } from '../auth/answer.ts'

type Handler = (request: Request) => Promise<Response>

/** Serves a fetch handler on node:http, as frameworks do, but without a framework. */
export function serveFetch(handle: Handler, port = 0) {
  const server = createServer((incoming, outgoing) => {
    void answer(handle, incoming, outgoing).catch((error: unknown) =>
      outgoing.destroy(error as Error),
    )
  })
  listen(server, port)
}

async function answer(handle: Handler, incoming: IncomingMessage, outgoing: ServerResponse) {
  const answered = await handle(requestOf(incoming))
  const headers = Object.fromEntries(answered.headers)
  const cookies = answered.headers.getSetCookie()
  outgoing.writeHead(
    answered.status,
    cookies.length > 0 ? { ...headers, 'set-cookie': cookies } : headers,
  )
  // Both handlers here answer with a few hundred bytes.
  outgoing.end(Buffer.from(await answered.arrayBuffer()))
}

function requestOf(incoming: IncomingMessage) {
  const headers = new Headers()
  for (const [name, value] of Object.entries(incoming.headers)) {
    for (const one of [value ?? []].flat()) headers.append(name, one)
  }
  const { method = 'GET' } = incoming
  const url = `http://${incoming.headers.host}${incoming.url}`
  if (method === 'GET') return new Request(url, { headers })
  // Streamed bodies need `duplex`, which the DOM's types lack.
  const init: RequestInit & { duplex: 'half' } = {
    method,
    headers,
    body: Readable.toWeb(incoming) as ReadableStream<Uint8Array<ArrayBuffer>>, // the same class under two names
    duplex: 'half',
  }
  return new Request(url, init)
}
