import { recordAudit } from '../audit/record-audit.ts'
import type { Needs } from '../auth.ts'
import type { FreshCaller } from '../caller/caller.ts'
import type { RequestOrigin } from '../caller/request-origin.ts'
import { lockFresh } from '../fresh-proof/lock-stepped-up.ts'
import { bindKey } from '../keys/key-binding.ts'
import { windowEnd } from '../keys/key-life.ts'
import { PasskeyNotFoundError } from '../passkeys/errors.ts'
import { hasPasskey } from '../passkeys/own-passkey.ts'
import { changedBinding } from './session-binding.ts'

interface Begin {
  caller: FreshCaller
  origin: RequestOrigin
}

const act = 'session.bound'

/** From here on the key lives for hours, and goes on only by a passkey. */
export async function beginBinding(
  { db, clock, env }: Needs<'db' | 'clock' | 'env'>,
  { caller, origin }: Begin,
) {
  const { userId, keyId } = caller
  const now = clock.now()
  const until = windowEnd(env, now)
  return db.transaction(async (tx) => {
    await lockFresh(tx, caller)
    // Nothing could renew it, so it would only end.
    if (!(await hasPasskey(tx, userId))) throw new PasskeyNotFoundError()
    const bound = await bindKey(tx, { keyId, userId, binding: 'passkey', until })
    if (bound) await recordAudit(tx, { act, actor: userId, target: keyId, origin, at: now })
    return changedBinding(tx, caller, bound)
  })
}
