import type { Db } from '@svc/core'
import type { Needs } from '../auth.ts'
import { hashToken, newToken } from '../crypto/token.ts'
import { assertionOptions } from '../webauthn/assertion.ts'
import { type ChallengeOwner, type PasskeyRow, putChallenge } from './store.ts'

type ChallengeNeeds = Needs<'clock' | 'env' | 'relyingParty'>

/** Something for an authenticator to sign: 32 random bytes, kept as their hash, good once and for this alone. */
export async function newChallenge(db: Db, { clock, env }: ChallengeNeeds, owner: ChallengeOwner) {
  const challenge = newToken()
  const timeoutMillis = env.SVC_AUTH_PASSKEY_CHALLENGE_TTL_SECONDS * 1000
  const expiresAt = new Date(clock.now().getTime() + timeoutMillis)
  await putChallenge(db, { ...owner, hash: hashToken(challenge), expiresAt })
  return { challenge, timeoutMillis }
}

/** What to ask an authenticator for. Without passkeys that may sign, it offers those that it has. */
export async function askForAssertion(
  db: Db,
  auth: ChallengeNeeds,
  { allow, ...owner }: ChallengeOwner & { allow: readonly PasskeyRow[] },
) {
  const asked = await newChallenge(db, auth, owner)
  return assertionOptions(auth.relyingParty, { ...asked, allow })
}
