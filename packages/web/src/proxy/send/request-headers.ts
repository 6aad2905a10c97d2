import type { ApiRequest } from './exchange.ts'

/** The headers that Node's `fetch` sends by default. */
const usual = {
  accept: '*/*',
  'accept-language': '*',
  'sec-fetch-mode': 'cors',
  'user-agent': 'node',
  'accept-encoding': 'gzip, deflate, br',
}

/**
 * They say where a message ends. If two readers disagree about that, they take one request for two.
 */
const ofClient = ['connection', 'expect', 'keep-alive', 'transfer-encoding', 'upgrade']

interface Unsent extends Omit<ApiRequest, 'url'> {
  readonly url: URL
}

/** The headers of a request in Node's form: names and values in turn. */
export function requestHeaders({ url, method, headers, body }: Unsent) {
  const given = Object.fromEntries(headers)
  const length = lengthOf(method, body)
  const refused = ofClient.find((name) => name in given) ?? wrongLength(given, length)
  if (refused) throw new TypeError(`A call can't set the header ${refused}`)
  const all = { ...usual, ...given, host: url.host, ...length }
  return Object.entries(all).flat()
}

function lengthOf(method: string, body: ApiRequest['body']) {
  // A server waits for the body of these methods.
  if (body === undefined) return method.startsWith('P') ? { 'content-length': '0' } : {}
  if (method === 'GET' || method === 'HEAD') throw new TypeError(`A ${method} has no body`)
  return { 'content-length': String(bytesOf(body)) }
}

function bytesOf(body: NonNullable<ApiRequest['body']>) {
  if (typeof body === 'string') return Buffer.byteLength(body)
  return body instanceof Blob ? body.size : body.length
}

function wrongLength(given: Record<string, string>, length: { 'content-length'?: string }) {
  const name = 'content-length'
  return name in given && given[name] !== length[name] ? name : undefined
}
