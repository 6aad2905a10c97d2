import { accountName } from '../accounts/account-name.ts'
import { readProfile } from '../accounts/profile.ts'
import type { Needs } from '../auth.ts'
import { refuseKeyless } from '../authenticate/refuse-keyless.ts'
import type { FreshCaller } from '../caller/caller.ts'
import { registrationOptions } from '../webauthn/registration.ts'
import { newChallenge } from './challenge.ts'
import { refuseTooMany } from './refuse-too-many.ts'
import { passkeysOf } from './store.ts'

type AskNeeds = Needs<'db' | 'clock' | 'env' | 'limits' | 'relyingParty'>

/** What to ask an authenticator for, to put a passkey into the account. Only the key that asked can answer. */
export async function passkeyRegisterOptions(auth: AskNeeds, caller: FreshCaller) {
  const { db, limits, relyingParty } = auth
  const { user, userId, keyId } = caller
  refuseKeyless({ keyId })
  await limits.take('passkey change by account', userId)
  const exclude = await passkeysOf(db, userId)
  refuseTooMany(exclude.length)
  const { profile } = (await readProfile(db, userId)) ?? {}
  const userName = accountName(user)
  const displayName = profile?.displayName ?? userName
  const challenge = await newChallenge(db, auth, { kind: 'register', userId, keyId })
  return registrationOptions(relyingParty, {
    ...challenge,
    userId,
    userName,
    displayName,
    exclude,
  })
}
