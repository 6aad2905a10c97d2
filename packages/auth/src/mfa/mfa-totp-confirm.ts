import { recordAudit } from '../audit/record-audit.ts'
import type { Needs } from '../auth.ts'
import type { FreshCaller } from '../caller/caller.ts'
import type { RequestOrigin } from '../caller/request-origin.ts'
import { settleFactors } from '../factors/settle-factors.ts'
import { lockFresh } from '../fresh-proof/lock-stepped-up.ts'
import { noteProof } from '../keys/note-proof.ts'
import {
  MfaAlreadyEnrolledError,
  MfaNotEnrolledError,
  MfaVerificationFailedError,
} from './errors.ts'
import { countFactorTry, limitFactorTry, uncountFactorTry } from './factor-tries.ts'
import { issueRecoveryCodes } from './issue-recovery-codes.ts'
import { withoutSpaces } from './read-proof.ts'
import { requireKeyring } from './require-keyring.ts'
import { matchingStep } from './totp.ts'
import { openSecret } from './totp-secret.ts'
import { confirmPendingTotp, findPendingTotp, hasConfirmedTotp } from './totp-store.ts'

interface Confirmation {
  caller: FreshCaller
  code: string
  origin: RequestOrigin
}

type ConfirmNeeds = Needs<
  'db' | 'clock' | 'env' | 'limits' | 'keyring' | 'appUrl' | 'notifier' | 'log' | 'parts'
>

/** Makes the authenticator app the second factor. The device has proved it by that, and the code is spent. */
export async function mfaTotpConfirm(auth: ConfirmNeeds, { caller, code, origin }: Confirmation) {
  const { db, clock, limits } = auth
  const { userId } = caller
  const keyring = requireKeyring(auth)
  await limits.take('second factor by address', origin.address)
  const owner = { userId, door: 'step-up', method: 'totp' } as const
  await limitFactorTry(auth, owner)
  const now = clock.now()
  const { secret } = await pendingTotp(auth, { userId, now })
  await db.transaction((tx) => countFactorTry(tx, auth, { ...owner, now }))
  const { plaintext } = openSecret(keyring, userId, secret)
  const step = matchingStep(plaintext, withoutSpaces(code), now)
  if (step === null) {
    const by = { actor: userId, target: userId, origin, at: now }
    await recordAudit(db, { act: 'mfa.enrolled', outcome: 'refused', ...by })
    throw new MfaVerificationFailedError()
  }
  return db.transaction(async (tx) => {
    const account = await lockFresh(tx, caller)
    if (!(await confirmPendingTotp(tx, account, { secret, step, now }))) {
      // Another call was faster. It has confirmed this secret or taken it away: then that is said; or put in another.
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
