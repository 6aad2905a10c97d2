import type { Needs } from '../auth.ts'
import { refuseKeyless } from '../authenticate/refuse-keyless.ts'
import type { Caller } from '../caller/caller.ts'
import { hashToken } from '../crypto/token.ts'
import { askForAssertion } from '../passkeys/challenge.ts'
import { markedPasskeysOf } from '../passkeys/marked-passkeys.ts'
import { findChallenge } from '../sign-in/challenge-store.ts'
import { MfaNotEnrolledError, MfaVerificationFailedError } from './errors.ts'

type OptionsNeeds = Needs<'db' | 'clock' | 'env' | 'limits' | 'relyingParty'>

/** What to ask an authenticator for, to step up with a passkey. */
export async function mfaStepUpOptions(auth: OptionsNeeds, caller: Caller) {
  const { userId, keyId } = caller
  refuseKeyless(caller)
  await auth.limits.take('second factor step-up options by account', userId)
  return askForMarked(auth, { kind: 'mfa step-up', userId, keyId })
}

/** The same, to finish a sign-in. */
export async function mfaVerifyOptions(auth: OptionsNeeds, challenge: string) {
  const found = await findChallenge(auth.db, hashToken(challenge), auth.clock.now())
  if (!found) throw new MfaVerificationFailedError()
  const { userId, keyId } = found
  await auth.limits.take('second factor sign-in options by account', userId)
  return askForMarked(auth, { kind: 'mfa verify', userId, keyId })
}

interface Asked {
  kind: 'mfa verify' | 'mfa step-up'
  userId: string
  keyId: string
}

async function askForMarked(auth: OptionsNeeds, owner: Asked) {
  const allow = await markedPasskeysOf(auth.db, owner.userId)
  if (allow.length === 0) throw new MfaNotEnrolledError()
  return askForAssertion(auth.db, auth, { ...owner, allow })
}
