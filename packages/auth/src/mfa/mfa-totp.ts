import { defineEnv, type EnvironmentSource } from '@svc/core'
import { accountName } from '../accounts/accounts.ts'
import { recordAudit } from '../audit/audit.ts'
import type { Needs } from '../auth.ts'
import type { FreshCaller, RequestOrigin } from '../caller/caller.ts'
import { settleFactors } from '../factors/factors.ts'
import { lockFresh } from '../fresh-proof/fresh-proof.ts'
import { inTransaction } from '../in-transaction.ts'
import { noteProof } from '../keys/keys.ts'
import { readRelyingParty, shownName } from '../webauthn/webauthn.ts'
import {
  MfaAlreadyEnrolledError,
  MfaNotEnrolledError,
  MfaVerificationFailedError,
} from './errors.ts'
import { openSecret, requireKeyring, sealSecret } from './keyring.ts'
import { countFactorTry, limitFactorTry, uncountFactorTry, withoutSpaces } from './prove-factor.ts'
import { issueRecoveryCodes } from './recovery-codes.ts'
import { matchingStep, newTotpSecret, otpauthUri } from './totp.ts'
import {
  confirmPendingTotp,
  findPendingTotp,
  hasConfirmedTotp,
  putPendingTotp,
} from './totp-store.ts'

type EnrolNeeds = Needs<'db' | 'clock' | 'limits' | 'keyring'> & {
  /** The name under which an authenticator app lists an account. */
  issuer: string
}

/** A secret for an authenticator app. It counts for nothing until its first code confirms it. */
export async function mfaTotpEnroll(auth: EnrolNeeds, caller: FreshCaller) {
  const { db, clock, issuer } = auth
  const { user, userId } = caller
  const keyring = requireKeyring(auth)
  await auth.limits.take('second factor change by account', userId)
  if (await hasConfirmedTotp(db, userId)) throw new MfaAlreadyEnrolledError()
  const secret = newTotpSecret()
  const sealed = sealSecret(keyring, userId, secret)
  await inTransaction(db, async (tx) => {
    const account = await lockFresh(tx, caller)
    if (!(await putPendingTotp(tx, account, { secret: sealed, now: clock.now() }))) {
      throw new MfaAlreadyEnrolledError()
    }
  })
  return { secret, otpauthUri: otpauthUri({ secret, issuer, account: accountName(user) }) }
}

interface Confirmation {
  caller: FreshCaller
  code: string
  origin: RequestOrigin
}

type ConfirmNeeds = Needs<
  'db' | 'clock' | 'env' | 'limits' | 'keyring' | 'appUrl' | 'notifier' | 'log' | 'parts'
>

/**
 * Makes the authenticator app the second factor. That proves the factor on this device, and spends
 * the code.
 */
export async function mfaTotpConfirm(auth: ConfirmNeeds, { caller, code, origin }: Confirmation) {
  const { db, clock, limits } = auth
  const { userId } = caller
  const keyring = requireKeyring(auth)
  await limits.take('second factor by address', origin.address)
  const owner = { userId, door: 'step-up', method: 'totp' } as const
  await limitFactorTry(auth, owner)
  const now = clock.now()
  const { secret } = await pendingTotp(auth, { userId, now })
  await inTransaction(db, (tx) => countFactorTry(tx, auth, { ...owner, now }))
  const { plaintext } = openSecret(keyring, userId, secret)
  const step = matchingStep(plaintext, withoutSpaces(code), now)
  if (step === null) {
    const by = { actor: userId, target: userId, origin, at: now }
    await recordAudit(db, { act: 'mfa.enrolled', outcome: 'refused', ...by })
    throw new MfaVerificationFailedError()
  }
  return inTransaction(db, async (tx) => {
    const account = await lockFresh(tx, caller)
    if (!(await confirmPendingTotp(tx, account, { secret, step, now }))) {
      // Another call was faster. If it has confirmed or removed this secret, this call throws that.
      // Otherwise it has replaced the secret.
      await pendingTotp({ db: tx }, { userId, now })
      throw new MfaVerificationFailedError()
    }
    const recoveryCodes = await issueRecoveryCodes(tx, auth, { userId, origin, now })
    await settleFactors(tx, auth, { account, added: 'totp', actor: userId, origin, now })
    await noteProof(tx, { ...caller, now })
    await uncountFactorTry(tx, auth, owner)
    return { recoveryCodes }
  })
}

async function pendingTotp({ db }: Needs<'db'>, { userId, now }: { userId: string; now: Date }) {
  const pending = await findPendingTotp(db, userId, now)
  if (pending) return pending
  throw (await hasConfirmedTotp(db, userId))
    ? new MfaAlreadyEnrolledError()
    : new MfaNotEnrolledError()
}

const readVariables = defineEnv({ SVC_AUTH_MFA_ISSUER: shownName })

/** The name under which an authenticator app lists an account. */
export function readIssuer(source: EnvironmentSource) {
  return readVariables(source).SVC_AUTH_MFA_ISSUER ?? readRelyingParty(source).name
}
