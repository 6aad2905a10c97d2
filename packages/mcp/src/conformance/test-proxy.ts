import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * Gives every request the access token, which the suite can't send, and the place of the server, where it names its
 * own. Another host or origin stays as it is.
 */
export async function startTokenProxy(target: string, token: string) {
  const { host, hostname, port, origin } = new URL(target)
  const proxy = createServer((incoming, outgoing) => {
    const own = `localhost:${(proxy.address() as AddressInfo).port}`
    const headers = { ...incoming.headers, authorization: `Bearer ${token}` }
    if (headers.host === own) headers.host = host
    if (headers.origin === `http://${own}`) headers.origin = origin
    const { method, url: path } = incoming
    const forwarded = request({ hostname, port, method, path, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      outgoing.flushHeaders()
      answer.pipe(outgoing)
    })
    forwarded.on('error', () => outgoing.destroy())
    outgoing.on('close', () => forwarded.destroy())
    incoming.pipe(forwarded)
  })
  await new Promise<void>((resolve) => {
    proxy.listen(0, 'localhost', resolve)
  })
  return {
    url: `http://localhost:${(proxy.address() as AddressInfo).port}/mcp`,
    stop: () =>
      new Promise<void>((resolve) => {
        proxy.close(() => resolve())
        proxy.closeAllConnections()
      }),
  }
}
