import type { RawContext } from '@svc/core'
import type { Auth } from '../auth.ts'
import { askForOwnPasskey } from '../passkeys/own-passkey.ts'
import { SessionRenewalRefusedError } from './errors.ts'
import { findRenewing } from './find-renewing.ts'
import { oneRefusal } from './one-refusal.ts'

/** What to ask an authenticator for, to renew a bound session. Told to who signs with its key: others learn nothing. */
export async function askToRenew(
  auth: Auth,
  { raw, expiredKeyId }: { raw: RawContext; expiredKeyId: string },
) {
  return oneRefusal(async () => {
    const { userId, keyId } = await findRenewing(auth, { raw, expiredKeyId })
    const options = await askForOwnPasskey(auth.db, auth, { kind: 'renew', userId, keyId })
    if (!options) throw new SessionRenewalRefusedError()
    return options
  })
}
