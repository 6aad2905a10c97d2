import type { Method, RouteMapEntry } from '../routes/contract.ts'
import { inputHeader, RawBody } from './raw-body.ts'

/** What a call can carry, for any operation. The API validates it against its schemas. */
export interface CallInput {
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: unknown
  form?: Record<string, unknown>
  headers?: Record<string, unknown>
}

/** A request that is ready for `fetch`. */
export interface PreparedRequest {
  method: string
  url: string
  headers: Record<string, string>
  body?: string | Blob
}

interface Direct extends Pick<RouteMapEntry, 'method' | 'path' | 'emptyBody'> {
  input: CallInput
  /** `JSON.stringify` unless set. */
  writeBody?: ((body: unknown) => string) | undefined
}

/** The request in the form that the API takes. */
export function directRequest(
  baseUrl: string,
  { method, path, emptyBody, input, writeBody = JSON.stringify }: Direct,
): PreparedRequest {
  const headers = textHeaders(input.headers)
  const url = `${baseUrl.replace(/\/$/, '')}${fillPath(path, input.params)}${queryText(input.query)}`
  if (input.body instanceof RawBody) {
    headers['content-type'] = input.body.type
    return { method, url, headers, body: input.body.blob }
  }
  if (input.form !== undefined) {
    headers['content-type'] = 'application/x-www-form-urlencoded'
    return { method, url, headers, body: pairsText(input.form) }
  }
  const body = input.body ?? (emptyBody && {})
  if (body === undefined) return { method, url, headers }
  headers['content-type'] = 'application/json'
  return { method, url, headers, body: writeBody(body) }
}

interface Proxied {
  name: string
  method: Method
  input: CallInput
}

/**
 * The request in the form that the RPC proxy takes: a POST, except for operations that are a GET in
 * the API.
 */
export function proxiedRequest(proxy: string, { name, method, input }: Proxied): PreparedRequest {
  const url = `${proxy.replace(/\/$/, '')}/${encodeURIComponent(name)}`
  if (input.body instanceof RawBody) return proxiedRawRequest(url, { ...input, body: input.body })
  const text = JSON.stringify(input)
  if (method === 'GET') {
    const query = text === '{}' ? '' : `?input=${encodeURIComponent(text)}`
    return { method: 'GET', url: `${url}${query}`, headers: csrfHeader() }
  }
  const headers = { 'content-type': 'application/json', ...csrfHeader() }
  return { method: 'POST', url, headers, body: text }
}

/**
 * Everything but the body goes into a header, which no form of another site can set, and which no
 * log shows as an address.
 */
function proxiedRawRequest(url: string, { body, ...input }: CallInput & { body: RawBody }) {
  const headers = {
    'content-type': body.type,
    [inputHeader]: encodeURIComponent(JSON.stringify(input)),
    ...csrfHeader(),
  }
  return { method: 'POST', url, headers, body: body.blob }
}

/**
 * The token that the proxy has set for this site's own pages. The proxy alone decides where
 * to check it. A value that no header can carry was planted by an attacker. If the client sent it,
 * every call would fail before it leaves the page.
 */
function csrfHeader(): Record<string, string> {
  const { document } = globalThis as { document?: { cookie?: string } }
  const token = /(?:^|; )svc_csrf=([!-:<-~]+)(?:;|$)/.exec(document?.cookie ?? '')?.[1]
  return token === undefined ? {} : { 'x-svc-csrf': token }
}

/**
 * Puts parameters into a path. A missing one, or one that would change the path, is refused here.
 */
function fillPath(path: string, params: Record<string, unknown> = {}) {
  return path.replace(/:(\w+)/g, (_match, name: string) => {
    const value = Object.hasOwn(params, name) ? String(params[name]) : ''
    if (value === '' || value === '.' || value === '..') {
      throw new TypeError(`The path ${path} needs a value for "${name}".`)
    }
    if (/[/\\\0]/.test(value)) {
      throw new TypeError('A path parameter cannot hold a slash, a backslash or a NUL.')
    }
    return encodeURIComponent(value)
  })
}

/** What a query can carry; an object would have no form that the server reads. */
type Scalar = string | number | boolean | bigint

function queryText(query: Record<string, unknown> = {}) {
  const text = pairsText(query)
  return text && `?${text}`
}

function pairsText(values: Record<string, unknown>) {
  const pairs = Object.entries(values).flatMap(([name, value]) =>
    [value].flat().flatMap((one) => (one === undefined ? [] : [[name, `${one as Scalar}`]])),
  )
  return new URLSearchParams(pairs).toString()
}

function textHeaders(headers: Record<string, unknown> = {}) {
  const given = Object.entries(headers).filter(([, value]) => value !== undefined)
  return Object.fromEntries(given.map(([name, value]) => [name, String(value)]))
}
