import { defineEnv, type EnvironmentSource, oneOf } from '@svc/core'

/**
 * The provider can't be reached at the moment. The text is for the log only: a host and what failed
 * there.
 */
export class ProviderUnavailableError extends Error {
  override readonly name = 'ProviderUnavailableError'
}

export interface ProviderAnswer {
  /** From 200 to 499, without 3xx and 429. */
  readonly status: number
  readonly json: unknown
}

// Our client gets a response within five seconds (F20).
const timeoutMillis = 4000
const maxBytes = 1024 * 1024

/** Sends a GET, or a POST if there is a form. */
export async function askProvider(
  address: string,
  ask: { form?: Record<string, string>; headers?: Record<string, string> } = {},
): Promise<ProviderAnswer> {
  const host = URL.parse(address)?.host ?? 'the address of a provider'
  if (!isProviderAddress(address)) throw new ProviderUnavailableError(`${host}: not over TLS`)
  try {
    const response = await fetch(address, {
      ...(ask.form && { method: 'POST', body: new URLSearchParams(ask.form) }),
      headers: { accept: 'application/json', ...ask.headers },
      // A redirect may lead to a host that was not configured, and a secret must not be sent there.
      redirect: 'manual',
      // It covers the body too.
      signal: AbortSignal.timeout(timeoutMillis),
    })
    const body = isAnswer(response.status) ? await readBody(response) : await discard(response)
    return { status: response.status, json: parse(body) }
  } catch (error) {
    throw new ProviderUnavailableError(`${host}: ${reasonOf(error)}`)
  }
}

class UselessAnswer extends Error {}

function isAnswer(status: number) {
  return status >= 200 && status < 500 && status !== 429 && !(status >= 300 && status < 400)
}

async function discard(response: Response): Promise<never> {
  await response.body?.cancel()
  throw new UselessAnswer(`answered ${response.status}`)
}

async function readBody(response: Response) {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength
    // Leaving the loop cancels the rest.
    if (size > maxBytes) throw new UselessAnswer(`answered more than ${maxBytes} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    // The parser's own message would quote the body.
    throw new UselessAnswer('answered what is not JSON')
  }
}

/** Never the text of a foreign error, which may quote the address with its query. */
function reasonOf(error: unknown) {
  if (error instanceof UselessAnswer) return error.message
  if (!(error instanceof Error)) return 'no answer'
  if (error.name === 'TimeoutError') return `no answer within ${timeoutMillis} ms`
  const code: unknown = error.cause instanceof Error && 'code' in error.cause && error.cause.code
  return typeof code === 'string' ? `no answer (${code})` : 'no answer'
}

const readVariables = defineEnv({ NODE_ENV: oneOf('development', 'test', 'production') })

const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

/** Whether a provider's address is allowed: over TLS, or on this machine outside production. */
export function isProviderAddress(address: string, source?: EnvironmentSource) {
  const url = URL.parse(address)
  if (!url || url.username || url.password || url.hash) return false
  if (url.protocol === 'https:') return true
  const isLocal = url.protocol === 'http:' && loopback.test(url.hostname)
  return isLocal && readVariables(source).NODE_ENV !== 'production'
}
