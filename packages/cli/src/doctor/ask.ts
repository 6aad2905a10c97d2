const timeoutMillis = 5000

export interface Answer {
  /** The request and its result, in one sentence. */
  seen: string
  /** Null if there was no answer. */
  status: number | null
  headers: Headers
  /** The JSON of the answer; undefined if it has none. */
  json: unknown
  location: URL | null
}

/** Sends one request, follows no redirect, and returns the answer or the failure. */
export async function ask(url: URL | string, init: RequestInit = {}): Promise<Answer> {
  const asked = `${init.method ?? 'GET'} ${withoutQuery(url)}`
  try {
    const signal = AbortSignal.timeout(timeoutMillis)
    const answer = await fetch(url, { ...init, redirect: 'manual', signal })
    return await described(answer, { url, asked })
  } catch (error) {
    const seen = `${asked} got no answer: ${reasonOf(error)}.`
    return { seen, status: null, headers: new Headers(), json: undefined, location: null }
  }
}

/** Queries hold the state of a sign-in, which must not be visible on the screen. */
function withoutQuery(url: URL | string) {
  const { origin, pathname } = new URL(url)
  return `${origin}${pathname}`
}

async function described(answer: Response, { url, asked }: { url: URL | string; asked: string }) {
  const { status, headers } = answer
  const target = headers.get('location')
  const location = target === null ? null : URL.parse(target, url)
  const type = headers.get('content-type') ?? 'no content type'
  const json = type.includes('json') ? parsed(await answer.text()) : undefined
  await answer.body?.cancel().catch(() => {})
  const what = location ? `to ${withoutQuery(location)}` : (refusalIn(json) ?? `with ${type}`)
  return { seen: `${asked} was answered ${status} ${what}.`, status, headers, json, location }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function refusalIn(json: unknown) {
  const name = refusalOf(json)
  if (name === null) return null
  const message = textOf(json, 'message')
  return message === null ? name : `${name}: ${message.replace(/\.$/, '')}`
}

/** The class of a refusal by the API or the web proxy; null if it came from neither of them. */
export function refusalOf(json: unknown) {
  return textOf(json, '__type')
}

export function textOf(json: unknown, name: string) {
  const value = memberOf(json, name)
  return typeof value === 'string' ? value : null
}

export function memberOf(json: unknown, name: string): unknown {
  return typeof json === 'object' && json !== null ? Reflect.get(json, name) : undefined
}

const reasons: Record<string, string> = {
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'the connection was cut',
  UND_ERR_SOCKET: 'the connection was cut',
  ENOTFOUND: 'there is no host of this name',
  EAI_AGAIN: 'the name of its host cannot be looked up',
  EPROTO: 'there is no TLS there',
  ERR_SSL_WRONG_VERSION_NUMBER: 'there is no TLS there',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is self-signed',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is not from a trusted authority',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host',
}

/** Fetch says "fetch failed", and has the reason in its cause. */
function reasonOf(error: unknown) {
  if (!(error instanceof Error)) return String(error)
  if (error.name === 'TimeoutError') return `it took more than ${timeoutMillis / 1000} seconds`
  const cause = error.cause instanceof Error ? error.cause : error
  const code = textOf(cause, 'code') ?? ''
  return reasons[code] ?? (cause.message || code)
}
