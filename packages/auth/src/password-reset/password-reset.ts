import type { Tx } from '@svc/core'
import {
  findName,
  findResettable,
  type LockedAccount,
  lockAccount,
  normaliseEmail,
  setPasswordHash,
} from '../accounts/accounts.ts'
import { recordAudit } from '../audit/audit.ts'
import { heldOn, type Needs } from '../auth.ts'
import type { RequestOrigin } from '../caller/caller.ts'
import type { NewDeviceKey } from '../capability/fields.ts'
import { hashToken } from '../crypto/crypto.ts'
import { passwordResetEvent } from '../events.ts'
import { noteFirstProof } from '../first-proof/first-proof.ts'
import { inTransaction } from '../in-transaction.ts'
import { checkNewKey } from '../keys/keys.ts'
import type { LinkRequest } from '../links/contract.ts'
import {
  dropLink,
  findOpened,
  findWanted,
  issueLink,
  mintLink,
  openSetup,
  orderLink,
  readReturnPath,
  requestLink,
  spendOpened,
} from '../links/links.ts'
import { sendNotice } from '../notices/notices.ts'
import { admitSend } from '../sends/sends.ts'
import { completeSignIn } from '../sign-in/sign-in.ts'
import { signOutEverywhere } from '../sign-out/sign-out.ts'
import { passwordResetContract } from './contract.ts'
import type { PasswordResetEnv } from './env.ts'
import { PasswordResetLinkError, PasswordResetSessionError } from './errors.ts'

/** The work and the response are the same for every address. */
export async function requestPasswordReset(
  auth: Needs<'db' | 'clock' | 'env' | 'configuration' | 'limits' | 'linkMail' | 'notifier'> & {
    env: PasswordResetEnv
  },
  body: LinkRequest,
  origin: RequestOrigin,
) {
  const { env } = auth
  const subject = normaliseEmail(body.email)
  const returnPath = readReturnPath(body.returnPath)
  const identifier = { type: 'email' as const, value: subject }
  await admitSend(auth, { identifier, purpose: 'password_reset_link', proofs: body, origin })
  const ttlMinutes = env.SVC_AUTH_PASSWORD_RESET_LINK_TTL_MINUTES
  return orderLink(auth, { purpose: 'password_reset', subject, returnPath, ttlMinutes })
}

/**
 * The same for an account that the transaction has opened or locked: its owner sets a password by
 * it.
 */
export async function orderPasswordReset(
  tx: Tx,
  { db, linkMail }: Needs<'db' | 'linkMail'>,
  { email: subject, now }: { email: string; now: Date },
) {
  const { env } = heldOn(db, passwordResetContract) as { env: PasswordResetEnv }
  const ttlMinutes = env.SVC_AUTH_PASSWORD_RESET_LINK_TTL_MINUTES
  const expiresAt = new Date(now.getTime() + ttlMinutes * 60_000)
  const purpose = 'password_reset' as const
  const id = await requestLink(tx, { purpose, subject, expiresAt, now })
  await linkMail.order(tx, { kind: purpose, id })
}

type MailNeeds = Needs<'db' | 'clock' | 'notifier' | 'appUrl'> & { env: PasswordResetEnv }

/** Mails the link to an eligible account, and to no other address. */
export async function mailPasswordReset(auth: MailNeeds, linkId: string) {
  const { db, clock, env, notifier } = auth
  const now = clock.now()
  const link = await findWanted(db, linkId, now)
  if (!link) return
  const account = await findResettable(db, link.subject)
  if (!account) return dropLink(db, linkId, now)
  const { userId, generation, locale } = account
  const { url, tokenHash } = mintLink(auth, env.SVC_AUTH_PASSWORD_RESET_CONFIRM_PATH)
  if (!(await issueLink(db, linkId, { tokenHash, userId, generation, now }))) return
  const expiresInMinutes = env.SVC_AUTH_PASSWORD_RESET_LINK_TTL_MINUTES
  const to = { channel: 'mail' as const, to: link.subject, locale }
  await notifier.send({ ...to, template: 'password-reset', facts: { url, expiresInMinutes } })
}

export async function confirmPasswordReset(
  auth: Needs<'db' | 'clock'> & { env: PasswordResetEnv },
  token: string,
) {
  const ttlMinutes = auth.env.SVC_AUTH_PASSWORD_RESET_SETUP_TTL_MINUTES
  const opened = await openSetup(auth, { purpose: 'password_reset', token, ttlMinutes })
  if (!opened) throw new PasswordResetLinkError()
  return opened
}

interface ResetBody extends NewDeviceKey {
  setupSecret: string
  password: string
}

type ResetNeeds = Needs<
  'db' | 'clock' | 'env' | 'passwords' | 'checkPassword' | 'notifier' | 'log' | 'parts'
>

/**
 * Sets the password, in one commit with all its consequences. If it is too weak, the session stays
 * as it was.
 */
export async function completePasswordReset(
  auth: ResetNeeds,
  body: ResetBody,
  origin: RequestOrigin,
) {
  const { db, clock, passwords } = auth
  const key = checkNewKey(body)
  const presented = { purpose: 'password_reset' as const, hash: hashToken(body.setupSecret) }
  // A caller without a session must not make this server hash.
  const session = await findOpened(db, { ...presented, now: clock.now() })
  const owner = session?.userId ? await findName(db, session.userId) : null
  if (!session || !owner) throw new PasswordResetSessionError()
  const password = await auth.checkPassword(body.password, owner)
  const passwordHash = await passwords.hash(password, origin)
  const now = clock.now()
  return inTransaction(db, async (tx) => {
    // Locks the account first, as everywhere: otherwise this and a sign-out-everywhere would
    // deadlock.
    const account = await lockAccount(tx, owner.userId)
    // If the account no longer has the address, its reader is not the owner.
    const isReader = account?.email === session.subject
    if (!isReader || !(await spendOpened(tx, { ...presented, now }))) {
      throw new PasswordResetSessionError()
    }
    const generation = await reset(tx, auth, { account, passwordHash, origin, now })
    const { userId } = account
    // After the revocation, so that this new key stays.
    return completeSignIn(tx, auth, {
      userId,
      generation,
      key,
      origin,
      provider: 'email',
      way: 'password',
      channel: 'completePasswordReset',
      now,
    })
  })
}

interface Reset {
  account: LockedAccount
  passwordHash: string
  origin: RequestOrigin
  now: Date
}

/** Returns the generation from here on. */
async function reset(tx: Tx, auth: ResetNeeds, { account, passwordHash, origin, now }: Reset) {
  const { userId } = account
  await setPasswordHash(tx, account, passwordHash)
  await noteFirstProof(tx, auth, { account, kind: 'email', origin, now })
  await signOutEverywhere(tx, auth, { account, spare: null, reason: 'password_reset', now })
  await recordAudit(tx, { act: 'password.reset', actor: userId, target: userId, origin, at: now })
  await passwordResetEvent.emit({ userId })
  await sendNotice(tx, auth, {
    userId,
    template: 'password-changed',
    facts: { at: now.toISOString() },
  })
  return account.generation + 1
}
