import type { Tx } from '@svc/core'
import { stampEmailVerified } from '../accounts/contact.ts'
import { findName } from '../accounts/find-account.ts'
import { type LockedAccount, lockAccount } from '../accounts/lock-account.ts'
import { setPasswordHash } from '../accounts/password.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { Needs } from '../auth.ts'
import type { RequestOrigin } from '../caller/request-origin.ts'
import type { NewDeviceKey } from '../capability/key-fields.ts'
import { hashToken } from '../crypto/token.ts'
import { passwordResetEvent } from '../events.ts'
import { checkNewKey } from '../keys/check-new-key.ts'
import { findOpened } from '../links/find-link.ts'
import { spendOpened } from '../links/spend-link.ts'
import { sendNotice } from '../notices/send-notice.ts'
import { completeSignIn } from '../sign-in/complete-sign-in.ts'
import { signOutEverywhere } from '../sign-out/sign-out-everywhere.ts'
import { PasswordResetSessionError } from './errors.ts'

export interface ResetBody extends NewDeviceKey {
  setupSecret: string
  password: string
}

type ResetNeeds = Needs<
  'db' | 'clock' | 'env' | 'passwords' | 'checkPassword' | 'notifier' | 'log' | 'parts'
>

/** Sets the password in one commit with all that follows from it. One that is too weak leaves the session as it was. */
export async function completePasswordReset(
  auth: ResetNeeds,
  body: ResetBody,
  origin: RequestOrigin,
) {
  const { db, clock, passwords } = auth
  const key = checkNewKey(body)
  const presented = { purpose: 'password_reset' as const, hash: hashToken(body.setupSecret) }
  // Nobody without a session makes this server hash.
  const session = await findOpened(db, { ...presented, now: clock.now() })
  const owner = session?.userId ? await findName(db, session.userId) : null
  if (!session || !owner) throw new PasswordResetSessionError()
  const password = await auth.checkPassword(body.password, owner)
  const passwordHash = await passwords.hash(password, origin)
  const now = clock.now()
  return db.transaction(async (tx) => {
    // The account first, as everywhere: a sign-out-everywhere would wait for us, and we for it.
    const account = await lockAccount(tx, owner.userId)
    // Whoever reads the mail of an address that the account has no more is not its owner.
    const isReader = account?.email === session.subject
    if (!isReader || !(await spendOpened(tx, { ...presented, now }))) {
      throw new PasswordResetSessionError()
    }
    const generation = await reset(tx, auth, { account, passwordHash, origin, now })
    const { userId } = account
    // After the revocation, so that this one stays.
    return completeSignIn(tx, auth, {
      userId,
      generation,
      key,
      origin,
      provider: 'email',
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

/** Answers the generation from here on. */
async function reset(tx: Tx, auth: ResetNeeds, { account, passwordHash, origin, now }: Reset) {
  const { userId } = account
  await setPasswordHash(tx, account, passwordHash)
  await stampEmailVerified(tx, account, now)
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
