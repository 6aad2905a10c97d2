import type { Needs } from '../auth.ts'
import { refuseKeyless } from '../authenticate/authenticate.ts'
import type { Caller, FreshCaller, RequestOrigin } from '../caller/caller.ts'
import { hashToken } from '../crypto/crypto.ts'
import { settleFactors } from '../factors/factors.ts'
import { lockFresh } from '../fresh-proof/fresh-proof.ts'
import { inTransaction } from '../in-transaction.ts'
import { PasskeyNotFoundError } from '../passkeys/errors.ts'
import { askForAssertion, markedPasskeysOf, markPasskey } from '../passkeys/passkeys.ts'
import { findChallenge } from '../sign-in/sign-in.ts'
import { MfaNotEnrolledError, MfaVerificationFailedError } from './errors.ts'
import { requireKeyring } from './keyring.ts'
import { mfaStatus } from './mfa.ts'

interface Mark {
  caller: FreshCaller
  passkeyId: string
  secondFactor: boolean
  origin: RequestOrigin
}

type MarkNeeds = Needs<
  'db' | 'clock' | 'env' | 'limits' | 'keyring' | 'appUrl' | 'notifier' | 'log' | 'parts'
>

/** Makes a passkey a second factor, or no longer one. */
export async function mfaMarkPasskey(auth: MarkNeeds, marking: Mark) {
  const { caller, passkeyId, secondFactor, origin } = marking
  const { userId } = caller
  if (secondFactor) requireKeyring(auth)
  await auth.limits.take('second factor change by account', userId)
  const now = auth.clock.now()
  return inTransaction(auth.db, async (tx) => {
    const account = await lockFresh(tx, caller)
    const isChanged = await markPasskey(tx, account, { passkeyId, secondFactor })
    if (isChanged === null) throw new PasskeyNotFoundError()
    if (isChanged) {
      const change = secondFactor
        ? { added: 'passkey' as const }
        : { removed: ['passkey' as const] }
      await settleFactors(tx, auth, { account, ...change, actor: userId, origin, now })
    }
    return mfaStatus(tx, userId)
  })
}

type OptionsNeeds = Needs<'db' | 'clock' | 'env' | 'limits' | 'relyingParty'>

/** The options for an authenticator, to step up with a passkey. */
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
