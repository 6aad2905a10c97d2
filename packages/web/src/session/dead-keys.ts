import { requestSigner } from '@svc/core/client'
import type { Next, ProxyCall } from '../proxy/proxy.ts'
import { ownCalls } from './own-calls.ts'
import type { OpenSession, WebSession } from './web-sessions.ts'

interface Called {
  readonly call: ProxyCall
  readonly next: Next
}

/**
 * Whether the API no longer accepts the session's key. An operation may say the same of a one-time
 * token that came in a link of another site, so the API is asked about the key alone before the
 * user is signed out.
 */
export async function isKeyDead(answer: Response, opened: OpenSession, { call, next }: Called) {
  if (!(await isRefused(answer, opened.session)) && !(await isRenewalRefused(answer))) return false
  if (call.name === 'getAuthSession') return true
  const operation = ownCalls.getAuthSession
  const sign = requestSigner(opened.key)
  const { request } = call
  try {
    const asked = await next({
      name: 'getAuthSession',
      operation,
      input: {},
      headers: {},
      request,
      sign,
    })
    const isDead = await isRefused(asked, opened.session)
    await asked.body?.cancel()
    return isDead
  } catch {
    // An API that is down says nothing about the key.
    return false
  }
}

/** A wrong password is a 401 too, and so is a wrong clock. */
async function isRefused(answer: Response, { isBound }: WebSession) {
  if (answer.status !== 401) return false
  const refusal = await refusalOf(answer)
  // A bound key that has expired signs for its own renewal.
  return refusal === 'UnauthorizedError' || (refusal === 'KeyExpiredError' && !isBound)
}

/** The API says the same about a key that was revoked, and about one that can still be renewed. */
async function isRenewalRefused(answer: Response) {
  return answer.status === 401 && (await refusalOf(answer)) === 'SessionRenewalRefusedError'
}

/** The class of a refusal, in both forms that the API has. */
export async function refusalOf(answer: Response) {
  try {
    const body: { __type?: unknown; code?: unknown } | null = await answer.clone().json()
    return body?.__type ?? body?.code
  } catch {
    return undefined
  }
}

// Longer than any call may take, under any limit of the web app.
const keptMillis = 60_000

/** For each sign-in or rotation: as many as a busy process has in a minute. */
const mostKept = 10_000

/**
 * Keys whose session was replaced or ended a moment ago. The answer to a call that they signed may
 * come after the browser has its new cookies. It must neither clear those nor bring the old ones
 * back.
 */
export class RetiredKeys {
  readonly #untilMillis = new Map<string, number>()

  add(keyId: string) {
    this.#untilMillis.delete(keyId)
    this.#untilMillis.set(keyId, Date.now() + keptMillis)
    // The oldest are the first of the Map.
    for (const [oldest, untilMillis] of this.#untilMillis) {
      if (untilMillis > Date.now() && this.#untilMillis.size <= mostKept) break
      this.#untilMillis.delete(oldest)
    }
  }

  has(keyId: string) {
    return (this.#untilMillis.get(keyId) ?? 0) > Date.now()
  }
}
