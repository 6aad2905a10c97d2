import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A server without a framework, whose answers a fetch handler makes, at every name of this machine. */
export async function serveFetch(handler: (request: Request) => Promise<Response>) {
  const answer = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const { status, headers, body } = await handler(await requestFrom(incoming))
    outgoing.setHeaders(headers).writeHead(status)
    for await (const chunk of body ?? []) outgoing.write(chunk)
    outgoing.end()
  }
  const server = createServer((incoming, outgoing) => {
    // A browser that closes in the middle is no fault; any other shows as a connection without an answer.
    answer(incoming, outgoing).catch(() => outgoing.destroy())
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo // never a pipe: it listens on a port
  return {
    port,
    stop: () => {
      server.closeAllConnections()
      return new Promise<unknown>((closed) => server.close(closed))
    },
  }
}

async function requestFrom(incoming: IncomingMessage) {
  const { method = 'GET', url = '/', headers, headersDistinct } = incoming
  const body = Buffer.concat(await incoming.toArray())
  return new Request(new URL(url, `http://${headers.host}`), {
    method,
    headers: Object.entries(headersDistinct).flatMap(([name, values = []]) =>
      values.map((value): [string, string] => [name, value]),
    ),
    ...(body.length > 0 && { body }),
  })
}
