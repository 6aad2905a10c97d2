import type { Tx } from '@svc/core'
import { identifiersOf } from '../accounts/identifier.ts'
import type { LockedAccount } from '../accounts/lock-account.ts'
import { blankActs } from '../audit/blank-acts.ts'
import { forgetCodesOf } from '../codes/forget-codes.ts'
import { forgetContactChangesOf } from '../contact/forget-contact-changes.ts'
import { forgetRequestsOf } from '../device/forget-requests.ts'
import { forgetInvitationsOf } from '../invitations/forget-invitations-of.ts'
import { buryKeys } from '../keys/bury-keys.ts'
import { forgetLinksOf } from '../links/forget-links.ts'
import { forgetFactorsOf } from '../mfa/forget-factors.ts'
import { forgetGrantsOf } from '../oauth2/forget-grants.ts'
import { forgetTokensOf } from '../one-time-token/forget-tokens.ts'
import { forgetPasskeysOf } from '../passkeys/forget-passkeys.ts'
import { deleteLinksOf } from '../social/accounts/forget-links.ts'
import { forgetPendingOf } from '../social/browser/forget-pending.ts'

/** Removes what all other tables keep of an account. */
export async function forgetAccount(tx: Tx, account: LockedAccount) {
  const { userId } = account
  await forgetTokensOf(tx, userId)
  await buryKeys(tx, userId)
  await forgetFactorsOf(tx, userId)
  await forgetPasskeysOf(tx, userId)
  await forgetPendingOf(tx, userId)
  await forgetGrantsOf(tx, userId)
  await deleteLinksOf(tx, userId)
  await forgetLinksOf(tx, account)
  await forgetContactChangesOf(tx, userId)
  await forgetRequestsOf(tx, userId)
  await forgetInvitationsOf(tx, account)
  for (const identifier of identifiersOf(account)) await forgetCodesOf(tx, identifier)
  await blankActs(tx, userId)
}
