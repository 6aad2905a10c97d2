import { requestSigner } from '@svc/core/client'
import type { Next, ProxyCall } from '../proxy/interceptor.ts'
import { ownCalls } from './own-calls.ts'
import type { WebSession } from './web-session.ts'
import type { OpenSession } from './web-sessions.ts'

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
