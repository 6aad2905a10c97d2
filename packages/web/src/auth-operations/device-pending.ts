import { bodyWith, jsonOf, withBody } from './json-answer.ts'
import { withNewKey } from './new-key.ts'
import type { Flow } from './outcome.ts'
import { openSealed, type SealedCookie, setSealed } from './sealed-cookie.ts'
import { signedIn } from './sign-in.ts'

const pending: SealedCookie<'device pending'> = {
  name: 'svc_device_pending',
  purpose: 'device pending',
  absent: 'This browser does not wait for an approval any more. Show a new code.',
}

// As `fingerprintPrefix` is shown to the approver.
const prefixLength = 8

/** Shows a code in this browser. What it asks with, and the key, are kept in a cookie that no script reads. */
export const startWaiting: Flow = async (turn) => {
  const { call, key, fingerprint } = await withNewKey(turn.call)
  const answer = await turn.next(call)
  if (!answer.ok) return { answer }
  const { deviceCode, ...shown } = await jsonOf(answer)
  const lifeMillis = Number(shown['expiresAtMillis']) - Date.now()
  const content = { deviceCode: String(deviceCode), key }
  const fingerprintPrefix = fingerprint.slice(0, prefixLength)
  return {
    answer: withBody(answer, { ...shown, fingerprintPrefix }),
    cookies: [await setSealed(turn, pending, { content, lifeMillis })],
  }
}

/** Asks whether somebody has approved this browser, and signs it in when they have. */
export const askWhetherApproved: Flow = async (turn) => {
  const { web, call, next } = turn
  const { deviceCode, key } = await openSealed(turn, pending)
  const body = bodyWith(call.input.body, { deviceCode })
  const answer = await next({ ...call, input: { ...call.input, body } })
  const outcome = await signedIn(turn, { answer, key })
  return outcome.session ? { ...outcome, cookies: [web.cookies.clear(pending.name)] } : outcome
}
