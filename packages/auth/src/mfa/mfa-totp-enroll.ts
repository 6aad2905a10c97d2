import { accountName } from '../accounts/account-name.ts'
import type { Needs } from '../auth.ts'
import type { Caller } from '../authenticate/caller.ts'
import type { RequestOrigin } from '../authenticate/request-origin.ts'
import { requireRecentAuthentication } from '../password/require-recent-authentication.ts'
import { MfaAlreadyEnrolledError } from './errors.ts'
import { lockSteppedUp } from './lock-stepped-up.ts'
import { requireKeyring } from './require-keyring.ts'
import { newTotpSecret, otpauthUri } from './totp.ts'
import { sealSecret } from './totp-secret.ts'
import { hasConfirmedTotp, putPendingTotp } from './totp-store.ts'

interface Enrolment {
  caller: Caller
  currentPassword?: string | undefined
  origin: RequestOrigin
}

type EnrolNeeds = Needs<
  'db' | 'clock' | 'env' | 'limits' | 'passwords' | 'log' | 'keyring' | 'issuer'
>

/** A secret for an authenticator app. It counts for nothing until its first code confirms it. */
export async function mfaTotpEnroll(auth: EnrolNeeds, enrolment: Enrolment) {
  const { db, clock, issuer } = auth
  const { caller } = enrolment
  const { user, userId } = caller
  const keyring = requireKeyring(auth)
  await auth.limits.take('second factor change by account', userId)
  if (await hasConfirmedTotp(db, userId)) throw new MfaAlreadyEnrolledError()
  // Where there is a factor, its proof was asked for, which says more.
  if (!caller.secondFactorSince) {
    const refusal = { act: 'mfa.enrolled' }
    await requireRecentAuthentication(auth, { ...enrolment, refusal })
  }
  const secret = newTotpSecret()
  const sealed = sealSecret(keyring, userId, secret)
  await db.transaction(async (tx) => {
    await lockSteppedUp(tx, caller)
    if (!(await putPendingTotp(tx, { userId, secret: sealed, now: clock.now() }))) {
      throw new MfaAlreadyEnrolledError()
    }
  })
  return { secret, otpauthUri: otpauthUri({ secret, issuer, account: accountName(user) }) }
}
