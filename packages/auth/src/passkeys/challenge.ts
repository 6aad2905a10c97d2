import type { Db } from '@svc/core'
import type { Needs } from '../auth.ts'
import { hashToken, newToken } from '../crypto/crypto.ts'
import { assertionOptions, challengeOf } from '../webauthn/webauthn.ts'
import { PasskeyChallengeError } from './errors.ts'
import { type ChallengeOwner, type PasskeyRow, putChallenge, spendChallenge } from './store.ts'

type ChallengeNeeds = Needs<'clock' | 'env' | 'relyingParty'>

/**
 * Random bytes for an authenticator to sign: 32, stored as their hash, valid once and only for
 * this.
 */
export async function newChallenge(db: Db, { clock, env }: ChallengeNeeds, owner: ChallengeOwner) {
  const challenge = newToken()
  const timeoutMillis = env.SVC_AUTH_PASSKEY_CHALLENGE_TTL_SECONDS * 1000
  const expiresAt = new Date(clock.now().getTime() + timeoutMillis)
  await putChallenge(db, { ...owner, hash: hashToken(challenge), expiresAt })
  return { challenge, timeoutMillis }
}

/** The options for an authenticator. If no passkeys are given, it offers those that it has. */
export async function askForAssertion(
  db: Db,
  auth: ChallengeNeeds,
  { allow, ...owner }: ChallengeOwner & { allow: readonly PasskeyRow[] },
) {
  const asked = await newChallenge(db, auth, owner)
  return assertionOptions(auth.relyingParty, { ...asked, allow })
}

type Answered = ChallengeOwner & { response: Parameters<typeof challengeOf>[0] }

/** Spends the challenge of a response, valid or not, before any costly work. */
export async function takeChallenge(
  db: Db,
  { clock }: Needs<'clock'>,
  { response, ...owner }: Answered,
) {
  const challenge = challengeOf(response)
  if (challenge === null) throw new PasskeyChallengeError()
  const presented = { ...owner, hash: hashToken(challenge), now: clock.now() }
  if (!(await spendChallenge(db, presented))) throw new PasskeyChallengeError()
  return challenge
}
