import type { Db, Tx } from '@svc/core'
import type { Needs } from '../auth.ts'
import { checkAssertion } from '../webauthn/assertion.ts'
import type { AuthenticationResponse } from '../webauthn/response-schemas.ts'
import { userHandleOf } from '../webauthn/user-handle.ts'
import { takeChallenge } from './challenge.ts'
import { PasskeyVerificationError } from './errors.ts'
import { type ChallengeOwner, findByCredential, noteAssertion } from './store.ts'

/** A passkey that has signed for this, once `notePasskey` has taken it. */
export type CheckedPasskey = Awaited<ReturnType<typeof checkPasskey>>

/**
 * Checks what an authenticator has signed. The challenge is spent whatever comes of it; a passkey that is unknown,
 * another account's or a clone is one refusal.
 */
export async function checkPasskey(
  db: Db,
  auth: Needs<'clock' | 'relyingParty'>,
  given: ChallengeOwner & { response: AuthenticationResponse },
) {
  const { response, userId } = given
  const challenge = await takeChallenge(db, auth, given)
  const passkey = await findByCredential(db, response.id)
  if (!passkey || (userId !== null && passkey.userId !== userId)) {
    throw new PasskeyVerificationError()
  }
  const assertion = await checkAssertion(auth.relyingParty, {
    response,
    challenge,
    passkey,
    userHandle: userHandleOf(passkey.userId),
    isDiscoverable: userId === null,
  })
  if (!assertion) throw new PasskeyVerificationError()
  return { ...passkey, ...assertion }
}

/**
 * Takes a checked passkey, under the lock of its account, and answers it as it is by then. Of two with one counter, the
 * second is a clone's.
 */
export async function notePasskey(tx: Tx, checked: CheckedPasskey, now: Date) {
  const { passkeyId, newCounter: counter, backedUp } = checked
  const noted = await noteAssertion(tx, { passkeyId, counter, backedUp, now })
  if (!noted) throw new PasskeyVerificationError()
  return noted
}
