import type { Method } from '../routes/contract.ts'

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

/** Where the RPC proxy has an operation. */
export function proxiedUrl(proxy: string, name: string) {
  return `${proxy.replace(/\/$/, '')}/${encodeURIComponent(name)}`
}

/**
 * The request in the form that the RPC proxy takes: a POST, or else a GET for an operation that is a GET in the API.
 */
export function proxiedRequest(url: string, method: Method, input: CallInput): PreparedRequest {
  const text = JSON.stringify(input)
  const headers = csrfHeader()
  if (method === 'GET') {
    return {
      method,
      url: text === '{}' ? url : `${url}?input=${encodeURIComponent(text)}`,
      headers,
    }
  }
  headers['content-type'] = 'application/json'
  return { method: 'POST', url, headers, body: text }
}

/**
 * The token that the proxy has set for this site's own pages. The proxy alone decides where
 * to check it. A value that no header can carry was planted by an attacker. If the client sent it,
 * every call would fail before it leaves the page.
 */
export function csrfHeader(): Record<string, string> {
  const { document } = globalThis as { document?: { cookie?: string } }
  const token = /(?:^|; )svc_csrf=([!-:<-~]+)(?:;|$)/.exec(document?.cookie ?? '')?.[1]
  return { ...(token && { 'x-svc-csrf': token }) }
}
