import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import {
  BadRequestError,
  type HttpError,
  MethodNotAllowedError,
  UriTooLongError,
} from '@svc/core/client'
import { refusal } from '@svc/core/proxy'
import { onPageFailure, type PageFailure } from '../outage/outage.ts'

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
    return bad('The web app does not accept WebSockets. Open them at the API.')
  }
  return null
}

export function methodRefused() {
  return new MethodNotAllowedError({
    message: 'Pages do not accept this method. Use one of those in allow.',
    allow: methods,
  })
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

/** Answers and closes the connection. The rest of the request is not read. */
export function sendRefusal(incoming: IncomingMessage, outgoing: ServerResponse, error: HttpError) {
  const { status, headers, type, text } = written(error, incoming)
  outgoing.writeHead(status, {
    ...headers,
    'content-type': type,
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    connection: 'close',
  })
  outgoing.end(text)
}

/** One sentence for a user who opens a page; the documented error for all other requests. */
function written(error: HttpError, { headers: { accept = '' } }: IncomingMessage) {
  const requestId = randomUUID()
  const answer = refusal(error, { requestId, accept })
  const headers = { ...answer.headers, 'x-request-id': requestId }
  const isPage = accept.includes('text/html')
  return {
    status: answer.status,
    headers,
    type: isPage ? 'text/plain; charset=utf-8' : answer.contentType,
    text: isPage ? `${error.message}\n` : (answer.encode() ?? ''),
  }
}

interface Page {
  failure?: PageFailure
}

const pages = new AsyncLocalStorage<Page>()

onPageFailure((failure) => {
  const page = pages.getStore()
  if (page) page.failure = failure
})

/**
 * Next answers 500 when a page throws any error. If the API is down, this makes it 503: nothing is broken here, and a
 * monitor, a crawler or a browser may retry. If the API refused the page, it is the status of that refusal. A page that
 * says itself that it is refused has this status in place of 200.
 */
export function answerFailure<Result>(outgoing: ServerResponse, answer: () => Result): Result {
  const page: Page = {}
  const writeHead = outgoing.writeHead.bind(outgoing)
  outgoing.writeHead = (status: number, ...rest: never[]) => {
    const failure = isInPlace(page, status, outgoing) ? page.failure : undefined
    // The same as the API says about its own dependencies.
    if (failure?.status === 503) outgoing.setHeader('retry-after', failure.retryAfter ?? '5')
    // RFC 9110, 15.5.2: every 401 has this header. For `Bearer`, browsers don't ask the user for a
    // password.
    if (failure?.status === 401) outgoing.setHeader('www-authenticate', 'Bearer')
    return writeHead(failure?.status ?? status, ...rest)
  }
  return pages.run(page, answer)
}

function isInPlace({ failure }: Page, status: number, outgoing: ServerResponse) {
  if (failure?.insteadOf !== status) return false
  // Next's router asks for a page as data, and would load it again if that had the status of a refusal.
  return status === 500 || String(outgoing.getHeader('content-type')).startsWith('text/html')
}
