import { auditRefusal } from '../audit/audit-refusal.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { Needs } from '../auth.ts'
import type { Caller } from '../caller/caller.ts'
import type { RequestOrigin } from '../caller/request-origin.ts'
import { unbindKey } from '../keys/key-binding.ts'
import { lockCaller } from '../keys/lock-caller.ts'
import { type CheckedPasskey, checkPasskey, notePasskey } from '../passkeys/check-passkey.ts'
import { PasskeyChallengeError } from '../passkeys/errors.ts'
import type { AuthenticationResponse } from '../webauthn/response-schemas.ts'
import { changedBinding } from './session-binding.ts'

interface End {
  caller: Caller
  response?: AuthenticationResponse | undefined
  origin: RequestOrigin
}

type EndNeeds = Needs<'db' | 'clock' | 'relyingParty'>

const act = 'session.unbound'

/** Whoever took a bound device must not make it one that lives for months: a passkey has to sign for it. */
export function endBinding(auth: EndNeeds, { caller, response, origin }: End) {
  const { userId, keyId } = caller
  const refused = { act, actor: userId, target: keyId, origin }
  return auditRefusal(auth, refused, async () => {
    if (!response) throw new PasskeyChallengeError()
    const challenge = { kind: 'binding disable' as const, userId, keyId }
    const checked = await checkPasskey(auth.db, auth, { ...challenge, response })
    return unbind(auth, { caller, checked, origin })
  })
}

function unbind(
  { db, clock }: EndNeeds,
  { caller, checked, origin }: Omit<End, 'response'> & { checked: CheckedPasskey },
) {
  const { userId, keyId } = caller
  const now = clock.now()
  return db.transaction(async (tx) => {
    await lockCaller(tx, caller)
    await notePasskey(tx, checked, now)
    const unbound = await unbindKey(tx, { keyId, userId, binding: 'passkey', now })
    if (unbound) await recordAudit(tx, { act, actor: userId, target: keyId, origin, at: now })
    return changedBinding(tx, caller, unbound)
  })
}
