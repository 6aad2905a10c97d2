import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A server, and the token that its endpoint for agents gets. */
interface Target {
  readonly url: string
  readonly token: string
}

/**
 * Stands before a server, as its web app does. It gives every request to the endpoint the access token, which the suite
 * can't send, and the place of the server, where it names its own. Another host or origin stays as it is.
 */
export async function startProxy() {
  let target: Target | undefined
  const proxy = createServer((incoming, outgoing) => {
    if (!target) throw new Error('Nothing is forwarded to yet.')
    const { host, hostname, port: targetPort, origin } = new URL(target.url)
    const { method, url: path = '' } = incoming
    const headers = { ...incoming.headers }
    if (path === '/mcp') headers.authorization = `Bearer ${target.token}`
    if (headers.host === own) headers.host = host
    if (headers.origin === `http://${own}`) headers.origin = origin
    const forwarded = request({ hostname, port: targetPort, method, path, headers }, (answer) => {
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
  const own = `localhost:${(proxy.address() as AddressInfo).port}`
  return {
    origin: `http://${own}`,
    url: `http://${own}/mcp`,
    forwardTo(given: Target) {
      target = given
    },
    stop: () =>
      new Promise<void>((resolve) => {
        proxy.close(() => resolve())
        proxy.closeAllConnections()
      }),
  }
}
