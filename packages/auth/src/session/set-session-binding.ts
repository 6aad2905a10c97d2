import type { Needs } from '../auth.ts'
import { refuseKeyless } from '../authenticate/refuse-keyless.ts'
import { type ProvableCaller } from '../caller/caller.ts'
import type { RequestOrigin } from '../caller/request-origin.ts'
import { refuseUnprovedFactor } from '../fresh-proof/fresh-caller.ts'
import { proveFresh } from '../fresh-proof/prove-fresh.ts'
import type { AuthenticationResponse } from '../webauthn/response-schemas.ts'
import { beginBinding } from './begin-binding.ts'
import type { SessionBinding } from './contract.ts'
import { endBinding } from './end-binding.ts'
import { getSessionBinding } from './session-binding.ts'

interface Change {
  caller: ProvableCaller
  mode: SessionBinding['mode']
  response?: AuthenticationResponse | undefined
  currentPassword?: string | undefined
  origin: RequestOrigin
}

type BindingNeeds = Needs<'db' | 'clock' | 'env' | 'limits' | 'passwords' | 'log' | 'relyingParty'>

/** Binds the key that signed the request to the account’s passkeys, or ends that. */
export async function setSessionBinding(auth: BindingNeeds, change: Change) {
  const { caller, mode, response, origin } = change
  refuseKeyless(caller)
  await auth.limits.take('session binding by account', caller.userId)
  // Nothing moves: binding a bound key again must not open another window.
  if (mode === (caller.binding ?? 'none')) return getSessionBinding(caller)
  const { operation } = asked
  if (mode === 'passkey') {
    return beginBinding(auth, { caller: await proveFresh(auth, { ...change, ...asked }), origin })
  }
  refuseUnprovedFactor(auth, caller, operation)
  // The passkey that signs for it is a proof, and a fresh one.
  return endBinding(auth, { caller, response, origin })
}

const asked = { operation: 'setSessionBinding', window: 'recent' } as const
