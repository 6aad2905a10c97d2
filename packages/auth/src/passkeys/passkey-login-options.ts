import type { Needs } from '../auth.ts'
import { askForAssertion } from './challenge.ts'

type OptionsNeeds = Needs<'db' | 'clock' | 'env' | 'relyingParty'>

/** What to ask an authenticator for, whoever is about to sign in: it says nothing of any account. */
export async function passkeyLoginOptions(auth: OptionsNeeds) {
  const nobody = { kind: 'login' as const, userId: null, keyId: null }
  return askForAssertion(auth.db, auth, { ...nobody, allow: [] })
}
