import { auditRefusal, recordAudit } from '../audit/audit.ts'
import type { Needs } from '../auth.ts'
import { refuseKeyless } from '../authenticate/authenticate.ts'
import type { Caller, FreshCaller, ProvableCaller, RequestOrigin } from '../caller/caller.ts'
import { lockFresh, proveFresh, refuseUnprovedFactor } from '../fresh-proof/fresh-proof.ts'
import { inTransaction } from '../in-transaction.ts'
import { bindKey, lockCaller, unbindKey, windowEnd } from '../keys/keys.ts'
import { PasskeyChallengeError, PasskeyNotFoundError } from '../passkeys/errors.ts'
import {
  askForOwnPasskey,
  type CheckedPasskey,
  checkPasskey,
  hasPasskey,
  notePasskey,
} from '../passkeys/passkeys.ts'
import type { AuthenticationResponse } from '../webauthn/fields.ts'
import type { SessionBinding } from './contract.ts'
import { changedBinding, getSessionBinding } from './session.ts'

interface Change {
  caller: ProvableCaller
  mode: SessionBinding['mode']
  response?: AuthenticationResponse | undefined
  currentPassword?: string | undefined
  origin: RequestOrigin
}

type BindingNeeds = Needs<
  'db' | 'clock' | 'env' | 'configuration' | 'limits' | 'passwords' | 'log' | 'relyingParty'
>

/** Binds the key that signed the request to the account’s passkeys, or ends that. */
export async function setSessionBinding(auth: BindingNeeds, change: Change) {
  const { caller, mode, response, origin } = change
  refuseKeyless(caller)
  await auth.limits.take('session binding by account', caller.userId)
  // Nothing changes: binding a bound key again must not start another window.
  if (mode === (caller.binding ?? 'none')) return getSessionBinding(caller)
  const { operation } = asked
  if (mode === 'passkey') {
    return beginBinding(auth, { caller: await proveFresh(auth, { ...change, ...asked }), origin })
  }
  refuseUnprovedFactor(auth, caller, operation)
  // The passkey signs for this, and is a fresh proof itself.
  return endBinding(auth, { caller, response, origin })
}

const asked = { operation: 'setSessionBinding', window: 'recent' } as const

interface Begin {
  caller: FreshCaller
  origin: RequestOrigin
}

/** From here on the key lives for hours, and only a passkey renews it. */
async function beginBinding(
  { db, clock, env }: Needs<'db' | 'clock' | 'env'>,
  { caller, origin }: Begin,
) {
  const { userId, keyId } = caller
  const now = clock.now()
  const until = windowEnd(env, now)
  return inTransaction(db, async (tx) => {
    await lockFresh(tx, caller)
    // Nothing could renew it, so it would only expire.
    if (!(await hasPasskey(tx, userId))) throw new PasskeyNotFoundError()
    const bound = await bindKey(tx, { keyId, userId, binding: 'passkey', until })
    if (bound)
      await recordAudit(tx, { act: 'session.bound', actor: userId, target: keyId, origin, at: now })
    return changedBinding(tx, caller, bound)
  })
}

interface End {
  caller: Caller
  response?: AuthenticationResponse | undefined
  origin: RequestOrigin
}

type EndNeeds = Needs<'db' | 'clock' | 'relyingParty'>

/**
 * An attacker with a bound device must not turn its key into one that lives for months, so a
 * passkey must sign.
 */
function endBinding(auth: EndNeeds, { caller, response, origin }: End) {
  const { userId, keyId } = caller
  const refused = { act: 'session.unbound' as const, actor: userId, target: keyId, origin }
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
  return inTransaction(db, async (tx) => {
    await lockCaller(tx, caller)
    await notePasskey(tx, checked, now)
    const unbound = await unbindKey(tx, { keyId, userId, binding: 'passkey', now })
    if (unbound)
      await recordAudit(tx, {
        act: 'session.unbound',
        actor: userId,
        target: keyId,
        origin,
        at: now,
      })
    return changedBinding(tx, caller, unbound)
  })
}

type AskNeeds = Needs<'db' | 'clock' | 'env' | 'configuration' | 'limits' | 'relyingParty'>

/**
 * The options for an authenticator, before a binding is ended. Only the key that asked can use the
 * response.
 */
export async function askToEndBinding(auth: AskNeeds, { userId, keyId }: Caller) {
  refuseKeyless({ keyId })
  await auth.limits.take('session binding by account', userId)
  const options = await askForOwnPasskey(auth.db, auth, { kind: 'binding disable', userId, keyId })
  if (!options) throw new PasskeyNotFoundError()
  return options
}
