import type { Db, Tx } from '@svc/core'
import type { Needs } from '../auth.ts'
import { hashToken } from '../crypto/token.ts'
import { checkAssertion } from '../webauthn/assertion.ts'
import { challengeOf } from '../webauthn/client-data.ts'
import type { AuthenticationResponse } from '../webauthn/response-schemas.ts'
import { userHandleOf } from '../webauthn/user-handle.ts'
import { PasskeyChallengeError, PasskeyVerificationError } from './errors.ts'
import { type ChallengeOwner, findByCredential, noteAssertion, spendChallenge } from './store.ts'

/** A passkey that has signed for this, once `notePasskey` has taken it. */
export type CheckedPasskey = Awaited<ReturnType<typeof checkPasskey>>

/**
 * Checks what an authenticator has signed. The challenge is spent whatever comes of it, before anything costs more; a
 * passkey that is unknown, another account's or a clone is one refusal.
 */
export async function checkPasskey(
  db: Db,
  { clock, relyingParty }: Needs<'clock' | 'relyingParty'>,
  { response, ...owner }: ChallengeOwner & { response: AuthenticationResponse },
) {
  const challenge = challengeOf(response)
  const hash = challenge === null ? null : hashToken(challenge)
  if (!hash || !(await spendChallenge(db, { ...owner, hash, now: clock.now() }))) {
    throw new PasskeyChallengeError()
  }
  const passkey = await findByCredential(db, response.id)
  if (!passkey || (owner.userId !== null && passkey.userId !== owner.userId)) {
    throw new PasskeyVerificationError()
  }
  const assertion = await checkAssertion(relyingParty, {
    response,
    challenge: challenge as string,
    passkey,
    userHandle: userHandleOf(passkey.userId),
    isDiscoverable: owner.userId === null,
  })
  if (!assertion) throw new PasskeyVerificationError()
  return { ...passkey, ...assertion }
}

/** Takes a checked passkey, under the lock of its account: of two with one counter, the second is a clone's. */
export async function notePasskey(tx: Tx, checked: CheckedPasskey, now: Date) {
  const { passkeyId, newCounter: counter, backedUp } = checked
  if (!(await noteAssertion(tx, { passkeyId, counter, backedUp, now }))) {
    throw new PasskeyVerificationError()
  }
}
