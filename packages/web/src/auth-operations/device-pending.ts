import { withNewKey } from './keys.ts'
import { bodyWith, type Flow, jsonOf, withBody } from './outcome.ts'
import { heldSealed, openSealed, type SealedCookie, setSealed } from './sealed-cookie.ts'
import { signedIn } from './sign-in.ts'

const pending: SealedCookie<'device pending'> = {
  name: 'svc_device_pending',
  purpose: 'device pending',
  absent: 'This browser is no longer waiting for an approval. Show a new code.',
}

// The time that is left of a code must be enough to type it in.
const leastMillis = 60_000

// The same as for every answer that the proxy passes on.
const headers = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }

// The length of the `fingerprintPrefix` that the approver sees.
const prefixLength = 8

/**
 * Shows a code in this browser. What it asks with, and the key, are kept in a cookie that no script
 * reads. A page that is reloaded shows the same code: an old one, for which no page waits any more,
 * could still be approved.
 */
export const startWaiting: Flow = async (turn) => {
  const held = await heldSealed(turn, pending)
  if (held && held.expiresAtMillis - Date.now() > leastMillis) {
    return { answer: Response.json(held.content.shown, { headers }) }
  }
  return showNewCode(turn)
}

const showNewCode: Flow = async (turn) => {
  const { call, key, fingerprint } = await withNewKey(turn.call)
  const answer = await turn.next(call)
  if (!answer.ok) return { answer }
  const { deviceCode, ...given } = await jsonOf(answer)
  const shown = { ...given, fingerprintPrefix: fingerprint.slice(0, prefixLength) }
  const lifeMillis = Number(given['expiresAtMillis']) - Date.now()
  const content = { deviceCode: String(deviceCode), key, shown }
  return {
    answer: withBody(answer, shown),
    cookies: [await setSealed(turn, pending, { content, lifeMillis })],
  }
}

// 202: waits for the second factor. 400: expired. 403: denied, or the account may not sign in. 404:
// used.
const endings = [202, 400, 403, 404]

/**
 * Asks whether the user has approved this browser, and then signs it in. A code that has expired is
 * forgotten.
 */
export const askWhetherApproved: Flow = async (turn) => {
  const { web, call, next } = turn
  const { deviceCode, key } = await openSealed(turn, pending)
  const body = bodyWith(call.input.body, { deviceCode })
  const answer = await next({ ...call, input: { ...call.input, body } })
  const outcome = await signedIn(turn, { answer, key })
  if (!outcome.session && !endings.includes(answer.status)) return outcome
  return { ...outcome, cookies: [...(outcome.cookies ?? []), web.cookies.clear(pending.name)] }
}
