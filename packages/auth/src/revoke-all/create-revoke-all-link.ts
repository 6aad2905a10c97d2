import { type Tx, ValidationError } from '@svc/core'
import type { LockedAccount } from '../accounts/lock-account.ts'
import { lockUser } from '../accounts/lock-user.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { runningAuth } from '../auth.ts'
import { issueLink } from '../links/issue-link.ts'
import { mintLink } from '../links/mint-link.ts'
import { requestLink } from '../links/request-link.ts'

export interface RevokeAllLinkOptions {
  /** How long the link is good. `SVC_AUTH_REVOKE_ALL_LINK_TTL_MINUTES` unless set. */
  ttlMinutes?: number
}

/**
 * A link that signs out every device of an account, once. It has the token in it: mail it to the account's proven
 * address, and neither log, keep nor queue it. An earlier one is dead from now on.
 */
export async function createRevokeAllLink(
  userId: string,
  options: RevokeAllLinkOptions = {},
): Promise<{ url: string; expiresAt: string }> {
  const auth = runningAuth()
  const { db, clock, env } = auth
  const now = clock.now()
  const expiresAt = expiryOf(options.ttlMinutes ?? env.SVC_AUTH_REVOKE_ALL_LINK_TTL_MINUTES, now)
  const { url, tokenHash } = mintLink(auth, env.SVC_AUTH_REVOKE_ALL_CONFIRM_PATH)
  await db.transaction(async (tx) => {
    const account = await lockUser(tx, userId)
    const linkId = await writeLink(tx, { account, expiresAt, now })
    await issueLink(tx, linkId, { tokenHash, now })
  })
  return { url, expiresAt: expiresAt.toISOString() }
}

/** Has such a link mailed to the account's proven address, in its language. */
export async function mailRevokeAllLink(
  userId: string,
  options: RevokeAllLinkOptions = {},
): Promise<{ expiresAt: string }> {
  const { db, clock, env, linkMail } = runningAuth()
  const now = clock.now()
  const expiresAt = expiryOf(options.ttlMinutes ?? env.SVC_AUTH_REVOKE_ALL_LINK_TTL_MINUTES, now)
  await db.transaction(async (tx) => {
    const account = await lockUser(tx, userId)
    const id = await writeLink(tx, { account, expiresAt, now })
    await linkMail.order(tx, { kind: 'revoke_all', id })
  })
  return { expiresAt: expiresAt.toISOString() }
}

interface Wanted {
  account: LockedAccount
  expiresAt: Date
  now: Date
}

async function writeLink(tx: Tx, { account, expiresAt, now }: Wanted) {
  const { userId, generation } = account
  await recordAudit(tx, { act: 'revoke_all_link.created', target: userId, at: now })
  const link = { purpose: 'revoke_all' as const, subject: userId, userId, generation }
  return requestLink(tx, { ...link, expiresAt, now })
}

function expiryOf(ttlMinutes: number, now: Date) {
  if (Number.isSafeInteger(ttlMinutes) && ttlMinutes > 0) {
    const expiresAt = new Date(now.getTime() + ttlMinutes * 60_000)
    // Beyond it, PostgreSQL does not read what ISO 8601 has for a moment; further still, there is none.
    if (expiresAt.getUTCFullYear() <= 9999) return expiresAt
  }
  const message = 'Give a positive whole number of minutes.'
  throw new ValidationError({ fields: [{ path: 'ttlMinutes', message }] })
}
