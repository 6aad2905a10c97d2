import type { RouteMapEntry } from '../routes/contract.ts'
import { type CallInput, csrfHeader, type PreparedRequest } from './proxied-request.ts'
import { inputHeader, RawBody } from './raw-body.ts'

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

/**
 * The request in the form that the RPC proxy takes, with a body that isn't JSON. Everything but the body goes into a
 * header, which no form of another site can set, and which no log shows as an address.
 */
export function proxiedRawRequest(
  url: string,
  { body, ...input }: CallInput & { body: RawBody },
): PreparedRequest {
  const headers = {
    'content-type': body.type,
    [inputHeader]: encodeURIComponent(JSON.stringify(input)),
    ...csrfHeader(),
  }
  return { method: 'POST', url, headers, body: body.blob }
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
      throw new TypeError('A path parameter cannot hold /, \\ or NUL.')
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
