import { accountName } from '../accounts/account-name.ts'
import type { Needs } from '../auth.ts'
import type { FreshCaller } from '../caller/caller.ts'
import { lockFresh } from '../fresh-proof/lock-stepped-up.ts'
import { MfaAlreadyEnrolledError } from './errors.ts'
import { requireKeyring } from './require-keyring.ts'
import { newTotpSecret, otpauthUri } from './totp.ts'
import { sealSecret } from './totp-secret.ts'
import { hasConfirmedTotp, putPendingTotp } from './totp-store.ts'

type EnrolNeeds = Needs<'db' | 'clock' | 'limits' | 'keyring'> & {
  /** The name that an authenticator app files an account under. */
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
  await db.transaction(async (tx) => {
    const account = await lockFresh(tx, caller)
    if (!(await putPendingTotp(tx, account, { secret: sealed, now: clock.now() }))) {
      throw new MfaAlreadyEnrolledError()
    }
  })
  return { secret, otpauthUri: otpauthUri({ secret, issuer, account: accountName(user) }) }
}
