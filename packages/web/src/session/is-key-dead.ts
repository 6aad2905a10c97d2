import type { WebSession } from './web-session.ts'

/** Whether the API takes the session's key no more. A wrong password is 401 too, and so is a clock that is off. */
export async function isKeyDead(answer: Response, { isBound }: WebSession) {
  if (answer.status !== 401) return false
  const refusal = await refusalOf(answer)
  // A bound key that has run out signs for its own renewal.
  return refusal === 'UnauthorizedError' || (refusal === 'KeyExpiredError' && !isBound)
}

/** The class of a refusal, in either form that the API has for one. */
async function refusalOf(answer: Response) {
  try {
    const body: { __type?: unknown; code?: unknown } | null = await answer.clone().json()
    return body?.__type ?? body?.code
  } catch {
    return undefined
  }
}
