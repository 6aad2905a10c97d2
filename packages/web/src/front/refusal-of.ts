import type { IncomingMessage } from 'node:http'
import {
  BadRequestError,
  type HttpError,
  MethodNotAllowedError,
  UriTooLongError,
} from '@svc/core/client'

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

// The limit of nginx for a request line. Our longest, a consent with its redirect URIs, needs a third of it.
const longestTarget = 8192

// Next's time for a query grows with the square of its parameters: 7,500 take 3.6 s, 100 a millisecond.
const mostParameters = 100

/** Why the front refuses a request, or null. Next would fail on it, hold it open, or work on it for seconds. */
export function refusalOf(incoming: IncomingMessage): HttpError | null {
  const { method = '', url = '', headers } = incoming
  if (!methods.includes(method)) return methodRefused()
  if (!hasOneHost(incoming)) return bad('The Host header is not valid.')
  // Neither `*` nor a whole address, which is for proxies.
  if (!url.startsWith('/')) return bad('The request names no path.')
  if (url.length > longestTarget) {
    return new UriTooLongError({ message: `The address is over ${longestTarget} characters.` })
  }
  const [path = '', query = ''] = url.split(/\?(.*)/s, 2)
  if (!isDecodable(path)) return bad('The path is not valid.')
  if (query.split('&', mostParameters + 1).length > mostParameters) {
    return bad(`The query has over ${mostParameters} parameters.`)
  }
  if (/websocket/i.test(headers.upgrade ?? '')) {
    return bad('The web app takes no WebSockets. Open them at the API.')
  }
  return null
}

export function methodRefused() {
  return new MethodNotAllowedError({ message: 'No page takes this method.', allow: methods })
}

const bad = (message: string) => new BadRequestError({ message })

/** RFC 9112, 3.2: with two Host headers, a proxy before us may have read the other one. */
function hasOneHost({ headersDistinct, httpVersionMinor }: IncomingMessage) {
  const [host, second] = headersDistinct.host ?? []
  if (host === undefined) return httpVersionMinor === 0
  return second === undefined && /^[\w.:[\]-]+$/.test(host)
}

function isDecodable(path: string) {
  try {
    return !decodeURIComponent(path).includes('\0')
  } catch {
    return false
  }
}
