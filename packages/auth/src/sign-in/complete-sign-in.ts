import type { Tx } from '@svc/core'
import { InvalidCredentialsError } from '../accounts/errors.ts'
import { type LockedAccount, lockAccount, refuseInactive } from '../accounts/lock-account.ts'
import type { Needs } from '../auth.ts'
import type { LoginResult } from '../capability/login-result.ts'
import type { SignIn } from '../capability/ways.ts'
import { isKeyOf } from '../keys/is-key-of.ts'
import { noteProof } from '../keys/note-proof.ts'
import { registerKey } from '../keys/register-key.ts'
import { waitForFactor } from './wait-for-factor.ts'
import { welcome } from './welcome.ts'

/** The one way in. Every path that signs somebody in ends here, in the transaction that spends its credential. */
export async function completeSignIn(
  tx: Tx,
  auth: Needs<'env' | 'notifier' | 'log'>,
  signIn: SignIn,
): Promise<LoginResult> {
  const { userId, generation, origin, now } = signIn
  const account = await lockAccount(tx, userId)
  // A revocation came between the check and now: what was checked counts for nothing any more.
  if (!account || account.generation !== generation) throw new InvalidCredentialsError()
  refuseInactive(account)
  if (await isFactorDue(tx, account, signIn)) return waitForFactor(tx, auth, { ...signIn, account })
  const { isNew, knownId } = await registerKey(tx, { ...signIn, account })
  if (signIn.secondFactor === 'proved')
    await noteProof(tx, { userId, keyId: signIn.key.keyId, now })
  const mfa = mfaOf(account, signIn)
  return welcome(tx, auth, { ...signIn, account, isNew, knownId, mfa, origin })
}

/** On a device that the account signs with already, the factor was proved once. */
async function isFactorDue(tx: Tx, { secondFactorSince, userId }: LockedAccount, signIn: SignIn) {
  if (!secondFactorSince || signIn.secondFactor) return false
  return !(await isKeyOf(tx, signIn.key, userId))
}

function mfaOf({ secondFactorSince }: LockedAccount, { secondFactor }: SignIn) {
  return secondFactorSince && secondFactor ? ('passed' as const) : ('none' as const)
}
