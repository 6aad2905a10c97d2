import { accountName } from '../accounts/account-name.ts'
import { readProfile } from '../accounts/profile.ts'
import type { Needs } from '../auth.ts'
import type { Caller } from '../authenticate/caller.ts'
import { refuseKeyless } from '../authenticate/refuse-keyless.ts'
import type { RequestOrigin } from '../authenticate/request-origin.ts'
import { requireRecentAuthentication } from '../password/require-recent-authentication.ts'
import { registrationOptions } from '../webauthn/registration.ts'
import { newChallenge } from './challenge.ts'
import { refuseTooMany } from './refuse-too-many.ts'
import { passkeysOf } from './store.ts'

interface Asked {
  caller: Caller
  currentPassword?: string | undefined
  origin: RequestOrigin
}

type AskNeeds = Needs<'db' | 'clock' | 'env' | 'limits' | 'passwords' | 'log' | 'relyingParty'>

/** What to ask an authenticator for, to put a passkey into the account. Only the key that asked can answer. */
export async function passkeyRegisterOptions(auth: AskNeeds, asked: Asked) {
  const { db, limits, relyingParty } = auth
  const { user, userId, keyId } = asked.caller
  refuseKeyless({ keyId })
  await limits.take('passkey change by account', userId)
  await requireRecentAuthentication(auth, { ...asked, refusal: { act: 'passkey.enrolled' } })
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
