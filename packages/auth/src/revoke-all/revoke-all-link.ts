import { lockAccount } from '../accounts/lock-account.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { Needs } from '../auth.ts'
import type { RequestOrigin } from '../caller/request-origin.ts'
import { hashToken } from '../crypto/token.ts'
import { countActive } from '../keys/count-active.ts'
import { findIssued } from '../links/find-link.ts'
import { spendIssued } from '../links/spend-link.ts'
import { signOutEverywhere } from '../sign-out/sign-out-everywhere.ts'
import { RevokeAllLinkError } from './errors.ts'

type LinkNeeds = Needs<'db' | 'clock'>

/** Shows what the link would do, and changes nothing: scanners open links too. */
export async function confirmRevokeAllLink({ db, clock }: LinkNeeds, token: string) {
  const presented = { purpose: 'revoke_all' as const, hash: hashToken(token), now: clock.now() }
  const link = await findIssued(db, presented)
  if (!link) throw new RevokeAllLinkError()
  const activeKeyCount = await countActive(db, link.subject)
  return { expiresAt: link.expiresAt.toISOString(), activeKeyCount }
}

export async function consumeRevokeAllLink(
  auth: Needs<'db' | 'clock' | 'parts'>,
  token: string,
  origin: RequestOrigin,
) {
  const { db, clock } = auth
  const now = clock.now()
  const presented = { purpose: 'revoke_all' as const, hash: hashToken(token), now }
  const revokedCount = await db.transaction(async (tx) => {
    const link = await findIssued(tx, presented)
    const account = link && (await lockAccount(tx, link.subject))
    // Of two clicks, one gets the row; a revocation that came first has moved the generation on.
    if (!account || !(await spendIssued(tx, presented))) throw new RevokeAllLinkError()
    const { userId: target } = account
    const revoked = await signOutEverywhere(tx, auth, {
      account,
      spare: null,
      reason: 'revoke_all_link',
      now,
    })
    const details = { revokedCount: revoked.length }
    await recordAudit(tx, { act: 'revoke_all_link.consumed', target, details, origin, at: now })
    return revoked.length
  })
  return { revokedCount }
}
