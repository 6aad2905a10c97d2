import type { FreshCaller } from '../../caller/caller.ts'
import type { RequestOrigin } from '../../caller/request-origin.ts'
import { lockFresh } from '../../fresh-proof/lock-stepped-up.ts'
import { securityPage } from '../../notices/security-page.ts'
import { sendNotice } from '../../notices/send-notice.ts'
import { LastRecoveryCredentialError } from '../../passkeys/errors.ts'
import { waysIn } from '../../sign-in/ways-in.ts'
import { SocialAccountNotLinkedError } from '../accounts/errors.ts'
import { deleteLink, findOfProvider } from '../accounts/store.ts'
import type { SocialHeld } from '../held.ts'
import { unlinked } from './unlinked.ts'

interface Unlinking {
  caller: FreshCaller
  provider: string
  origin: RequestOrigin
}

/** Takes an account elsewhere away. Whoever has signed in by it before stays signed in: devices are revoked by their keys. */
export async function unlinkSocialAccount(auth: SocialHeld, unlinking: Unlinking) {
  const { caller, provider, origin } = unlinking
  const { userId } = caller
  await auth.limits.take('social change by account', userId)
  const now = auth.clock.now()
  await auth.db.transaction(async (tx) => {
    const account = await lockFresh(tx, caller)
    const found = await findOfProvider(tx, userId, provider)
    const gone = found && (await deleteLink(tx, found))
    if (!gone) throw new SocialAccountNotLinkedError()
    // Counted without it, under the account's lock: of the last two, one stays.
    if ((await waysIn(tx, auth, account)) === 0) throw new LastRecoveryCredentialError()
    await unlinked(tx, { gone, reason: 'owner', actor: userId, origin, now })
    const facts = { provider, at: now.toISOString(), url: securityPage(auth) }
    await sendNotice(tx, auth, { userId, template: 'social-unlinked', facts })
  })
  return { provider }
}
