import { requestSigner } from '@svc/core/client'
import type { Next, ProxyCall } from '../proxy/proxy.ts'
import { ownCalls } from './own-calls.ts'
import type { OpenSession, WebSession } from './web-sessions.ts'

interface Called {
  readonly call: ProxyCall
  readonly next: Next
}

/**
 * Whether the API takes the session's key no more. An operation may say the same of a one-time token that came in a
 * link of another site, so the API is asked about the key alone before somebody is signed out.
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
    // An API that is down says nothing of the key.
    return false
  }
}

/** A wrong password is 401 too, and so is a clock that is off. */
async function isRefused(answer: Response, { isBound }: WebSession) {
  if (answer.status !== 401) return false
  const refusal = await refusalOf(answer)
  // A bound key that has run out signs for its own renewal.
  return refusal === 'UnauthorizedError' || (refusal === 'KeyExpiredError' && !isBound)
}

/** It says the same of a key that was revoked, and of one that can still be renewed. */
async function isRenewalRefused(answer: Response) {
  return answer.status === 401 && (await refusalOf(answer)) === 'SessionRenewalRefusedError'
}

/** The class of a refusal, in either form that the API has for one. */
export async function refusalOf(answer: Response) {
  try {
    const body: { __type?: unknown; code?: unknown } | null = await answer.clone().json()
    return body?.__type ?? body?.code
  } catch {
    return undefined
  }
}

// Longer than any call may take, whatever the web app's own limit is.
const keptMillis = 60_000

/** A sign-in or a rotation each: as many as a busy process sees in a minute. */
const mostKept = 10_000

/**
 * Keys whose session was replaced or ended a moment ago. What they had signed may be answered after the browser has
 * got its new cookies, and that answer must neither clear those nor bring the old ones back.
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
