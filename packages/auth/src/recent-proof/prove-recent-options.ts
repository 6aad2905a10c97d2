import type { Needs } from '../auth.ts'
import { refuseKeyless } from '../authenticate/refuse-keyless.ts'
import type { Caller } from '../caller/caller.ts'
import { PasskeyNotFoundError } from '../passkeys/errors.ts'
import { askForOwnPasskey } from '../passkeys/own-passkey.ts'

type AskNeeds = Needs<'db' | 'clock' | 'env' | 'limits' | 'relyingParty'>

/** What to ask an authenticator for. Only the key that asked can use the answer. */
export async function proveRecentOptions(auth: AskNeeds, caller: Caller) {
  const { userId, keyId } = caller
  refuseKeyless(caller)
  await auth.limits.take('recent proof options by account', userId)
  const options = await askForOwnPasskey(auth.db, auth, { kind: 'recent', userId, keyId })
  if (!options) throw new PasskeyNotFoundError()
  return options
}
