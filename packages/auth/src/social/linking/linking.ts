import type { Db, RawContext } from '@svc/core'
import { refuseKeyless } from '../../authenticate/authenticate.ts'
import type { FreshCaller, RequestOrigin } from '../../caller/caller.ts'
import type { Handlers } from '../../capability/capability.ts'
import { lockFresh } from '../../fresh-proof/fresh-proof.ts'
import { inTransaction } from '../../in-transaction.ts'
import { securityPage, sendNotice } from '../../notices/notices.ts'
import { LastRecoveryCredentialError } from '../../passkeys/errors.ts'
import { waysIn } from '../../sign-in/sign-in.ts'
import { deleteLink, findOfProvider, socialAccountsOf } from '../accounts/accounts.ts'
import { leave } from '../browser/browser.ts'
import { SocialAccountAlreadyLinkedError, SocialAccountNotLinkedError } from '../errors.ts'
import type { SocialHeld } from '../held.ts'
import type { linkOperations } from './contract.ts'
import { unlinked } from './unlinked.ts'

export { unlinkHandlers } from './unlink-notification.ts'
export { dropLinksSince } from './unlinked.ts'

export const linkHandlers: Handlers<typeof linkOperations, SocialHeld> = {
  listSocialAccounts: ({ auth, caller }) => listSocialAccounts(auth.db, caller.userId),
  linkSocialAccount: async ({ auth, caller, body, origin, c }) => {
    const linking = { raw: c.raw, caller, ...body, origin }
    const { authUrl, headers } = await linkSocialAccount(auth, linking)
    return c.json({ authUrl }, 200, headers)
  },
  unlinkSocialAccount: ({ auth, caller, body, origin }) =>
    unlinkSocialAccount(auth, { caller, ...body, origin }),
}

interface Linking {
  raw: RawContext
  caller: FreshCaller
  provider: string
  returnUrl: string
  nonce?: string | undefined
  origin: RequestOrigin
}

/** Sends a signed-in user to a provider, to link their account there. */
export async function linkSocialAccount(auth: SocialHeld, linking: Linking) {
  const { raw, caller, provider, returnUrl, nonce } = linking
  const { userId, keyId, generation, secondFactorSince } = caller
  refuseKeyless(caller)
  await auth.limits.take('social change by account', userId)
  await auth.limits.take('oauth by address', linking.origin.address)
  if (await findOfProvider(auth.db, userId, provider)) throw new SocialAccountAlreadyLinkedError()
  const secondFactorSinceMillis = secondFactorSince?.getTime() ?? null
  const linkTo = { userId, keyId, generation, secondFactorSinceMillis }
  return leave(auth, { raw, provider, returnUrl, ...(nonce && { nonce }), linkTo })
}

/** The accounts elsewhere that sign in to an account. */
export async function listSocialAccounts(db: Db, userId: string) {
  const accounts = await socialAccountsOf(db, userId)
  return {
    accounts: accounts.map(({ provider, linkedAt, lastUsedAt }) => ({
      provider,
      linkedAtMillis: linkedAt.getTime(),
      ...(lastUsedAt && { lastUsedAtMillis: lastUsedAt.getTime() }),
    })),
  }
}

interface Unlinking {
  caller: FreshCaller
  provider: string
  origin: RequestOrigin
}

/**
 * Removes a linked account. Sessions that began with it go on, because devices are revoked by their
 * keys.
 */
async function unlinkSocialAccount(auth: SocialHeld, unlinking: Unlinking) {
  const { caller, provider, origin } = unlinking
  const { userId } = caller
  await auth.limits.take('social change by account', userId)
  const now = auth.clock.now()
  await inTransaction(auth.db, async (tx) => {
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
