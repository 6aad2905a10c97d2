import type { Needs } from '../auth.ts'
import type { FreshCaller } from '../caller/caller.ts'
import type { RequestOrigin } from '../caller/request-origin.ts'
import { lockFresh } from '../fresh-proof/lock-stepped-up.ts'
import { securityPage } from '../notices/security-page.ts'
import { sendNotice } from '../notices/send-notice.ts'
import { waysIn } from '../sign-in/ways-in.ts'
import { LastRecoveryCredentialError, PasskeyNotFoundError } from './errors.ts'
import { passkeysGone } from './passkeys-gone.ts'
import { canSign } from './signing-passkeys.ts'
import { deletePasskey } from './store.ts'

interface Revocation {
  caller: FreshCaller
  passkeyId: string
  origin: RequestOrigin
}

type RevokeNeeds = Needs<'db' | 'clock' | 'env' | 'parts' | 'appUrl' | 'notifier' | 'log'>

/** Takes a passkey away. Whoever has signed in with it before stays signed in: devices are revoked by their keys. */
export async function revokePasskey(auth: RevokeNeeds, revocation: Revocation) {
  const { caller, passkeyId, origin } = revocation
  const { userId } = caller
  const now = auth.clock.now()
  await auth.db.transaction(async (tx) => {
    const account = await lockFresh(tx, caller)
    const passkey = await deletePasskey(tx, { userId, passkeyId })
    if (!passkey) throw new PasskeyNotFoundError()
    // Counted without it, under the account's lock: of the last two, one stays.
    if (canSign(passkey) && (await waysIn(tx, auth, account)) === 0)
      throw new LastRecoveryCredentialError()
    await passkeysGone(tx, auth, { account, gone: [passkey], actor: userId, origin, now })
    const { label } = passkey
    const facts = { label: label ?? undefined, at: now.toISOString(), url: securityPage(auth) }
    await sendNotice(tx, auth, { userId, template: 'passkey-removed', facts })
  })
  return { passkeyId }
}
