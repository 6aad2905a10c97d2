import { defineJob, type Tx, ValidationError } from '@svc/core'
import { findReader, type LockedAccount, lockAccount, lockUser } from '../accounts/accounts.ts'
import { recordAudit } from '../audit/audit.ts'
import { type Needs, runningHeld } from '../auth.ts'
import type { Caller, RequestOrigin } from '../caller/caller.ts'
import type { HeldBy } from '../capability/capability.ts'
import { hashToken } from '../crypto/crypto.ts'
import { inTransaction } from '../in-transaction.ts'
import { countActive, lockCaller } from '../keys/keys.ts'
import {
  dropLink,
  findIssued,
  findWanted,
  issueLink,
  mintLink,
  purgeRevokeAllLinks,
  requestLink,
  spendIssued,
} from '../links/links.ts'
import { signOutEverywhere } from '../sign-out/sign-out.ts'
import { revokeAllContract } from './contract.ts'
import type { RevokeAllEnv } from './env.ts'
import { RevokeAllLinkError } from './errors.ts'

interface Request {
  caller: Caller
  includeCurrent?: boolean | undefined
  origin: RequestOrigin
}

export async function revokeAllKeys(
  auth: Needs<'db' | 'clock' | 'parts'>,
  { caller, includeCurrent = false, origin }: Request,
) {
  const { db, clock } = auth
  const { userId, keyId } = caller
  const now = clock.now()
  const keyIds = await inTransaction(db, async (tx) => {
    const account = await lockCaller(tx, caller)
    const spare = includeCurrent ? null : keyId
    const revocation = { account, spare, keepsProof: true, reason: 'revoke_all', now }
    const revoked = await signOutEverywhere(tx, auth, revocation)
    const details = { revokedCount: revoked.length, includeCurrent }
    await recordAudit(tx, { act: 'key.revoked_all', actor: userId, details, origin, at: now })
    return revoked
  })
  return { revokedCount: keyIds.length, currentKeyRevoked: keyIds.includes(keyId) }
}

/** How long a link of `createRevokeAllLink` or `mailRevokeAllLink` works. */
export interface RevokeAllLinkOptions {
  /** How long the link is valid. `SVC_AUTH_REVOKE_ALL_LINK_TTL_MINUTES` unless set. */
  ttlMinutes?: number
}

/**
 * A link that signs out every device of an account, once. It contains the token: mail it to the
 * account's proven address, and never log, store or queue it. An earlier one is void from now on.
 */
export async function createRevokeAllLink(
  userId: string,
  options: RevokeAllLinkOptions = {},
): Promise<{ url: string; expiresAt: string }> {
  const auth = running()
  const { db, clock, env } = auth
  const now = clock.now()
  const expiresAt = expiryOf(options.ttlMinutes ?? env.SVC_AUTH_REVOKE_ALL_LINK_TTL_MINUTES, now)
  const { url, tokenHash } = mintLink(auth, env.SVC_AUTH_REVOKE_ALL_CONFIRM_PATH)
  await inTransaction(db, async (tx) => {
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
  const { db, clock, env, linkMail } = running()
  const now = clock.now()
  const expiresAt = expiryOf(options.ttlMinutes ?? env.SVC_AUTH_REVOKE_ALL_LINK_TTL_MINUTES, now)
  await inTransaction(db, async (tx) => {
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
    // PostgreSQL can't read ISO 8601 beyond that year, and JavaScript has no dates much later.
    if (expiresAt.getUTCFullYear() <= 9999) return expiresAt
  }
  const message = 'Enter a whole number of minutes, 1 or more.'
  throw new ValidationError({ fields: [{ path: 'ttlMinutes', message }] })
}

const running = () =>
  runningHeld(revokeAllContract) as HeldBy<typeof revokeAllContract, { env: RevokeAllEnv }>

type MailNeeds = Needs<'db' | 'clock' | 'notifier' | 'appUrl'> & { env: RevokeAllEnv }

/** Mails a sign-out-everywhere link to the account's proven address. */
export async function sendRevokeAllLink(auth: MailNeeds, linkId: string) {
  const { db, clock, env, notifier } = auth
  const now = clock.now()
  const link = await findWanted(db, linkId, now)
  if (!link) return
  const reader = await findReader(db, link.subject)
  if (!reader) return dropLink(db, linkId, now)
  const { email: to, locale } = reader
  const { url, tokenHash } = mintLink(auth, env.SVC_AUTH_REVOKE_ALL_CONFIRM_PATH)
  if (!(await issueLink(db, linkId, { tokenHash, now }))) return
  const expiresInMinutes = Math.ceil((link.expiresAt.getTime() - now.getTime()) / 60_000)
  const facts = { url, expiresInMinutes }
  await notifier.send({ channel: 'mail', to, locale, template: 'revoke-all', facts })
}

type LinkNeeds = Needs<'db' | 'clock'>

/** Shows what the link would do, and changes nothing, because mail scanners open links too. */
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
  const revokedCount = await inTransaction(db, async (tx) => {
    const link = await findIssued(tx, presented)
    const account = link && (await lockAccount(tx, link.subject))
    // Of two clicks, only one gets the row. An earlier revocation has changed the generation.
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

const dayMillis = 86_400_000

/**
 * Deletes sign-out-everywhere links a week after they expired, and a day after they were used or
 * replaced.
 */
export const revokeAllTokenPurge = defineJob('auth.revoke-all-token-purge')
  .cron('0 6 * * *')
  .handler((_input, { db, clock }) => {
    const now = clock.now().getTime()
    const expiredBy = new Date(now - 7 * dayMillis)
    return purgeRevokeAllLinks(db, { expiredBy, endedBy: new Date(now - dayMillis) })
  })
