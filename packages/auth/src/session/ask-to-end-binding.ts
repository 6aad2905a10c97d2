import type { Needs } from '../auth.ts'
import { refuseKeyless } from '../authenticate/refuse-keyless.ts'
import type { Caller } from '../caller/caller.ts'
import { PasskeyNotFoundError } from '../passkeys/errors.ts'
import { askForOwnPasskey } from '../passkeys/own-passkey.ts'

type AskNeeds = Needs<'db' | 'clock' | 'env' | 'limits' | 'relyingParty'>

/** What to ask an authenticator for, before a binding is ended. Only the key that asked can use the answer. */
export async function askToEndBinding(auth: AskNeeds, { userId, keyId }: Caller) {
  refuseKeyless({ keyId })
  await auth.limits.take('session binding by account', userId)
  const options = await askForOwnPasskey(auth.db, auth, { kind: 'binding disable', userId, keyId })
  if (!options) throw new PasskeyNotFoundError()
  return options
}
