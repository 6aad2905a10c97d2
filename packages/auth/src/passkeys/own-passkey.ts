import type { Db } from '@svc/core'
import type { Needs } from '../auth.ts'
import { askForAssertion } from './challenge.ts'
import { signingPasskeysOf } from './signing-passkeys.ts'
import type { ChallengeOwner } from './store.ts'

export async function hasPasskey(db: Db, userId: string) {
  return (await signingPasskeysOf(db, userId)).length > 0
}

/** What to ask an authenticator for that must hold a passkey of this account; null where the account has none. */
export async function askForOwnPasskey(
  db: Db,
  auth: Needs<'clock' | 'env' | 'relyingParty'>,
  owner: ChallengeOwner & { userId: string },
) {
  const allow = await signingPasskeysOf(db, owner.userId)
  return allow.length > 0 ? askForAssertion(db, auth, { ...owner, allow }) : null
}
