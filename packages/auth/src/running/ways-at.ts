import type { Auth } from '../auth.ts'
import type { Ways } from '../capability/capability.ts'
import { registerKey } from '../keys/keys.ts'
import { completeSignIn } from '../sign-in/sign-in.ts'
import { signOutEverywhere } from '../sign-out/sign-out.ts'

/** The ways into and out of an account, for an operation: its name is the channel in events. */
export function waysAt(auth: Auth, channel: string): Ways {
  return {
    completeSignIn: (tx, signIn) => completeSignIn(tx, auth, { ...signIn, channel }),
    registerKey: (tx, registration) => registerKey(tx, { ...registration, channel }),
    signOutEverywhere: (tx, revocation) => signOutEverywhere(tx, auth, revocation),
  }
}
