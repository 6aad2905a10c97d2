import type { Tx } from '@svc/core'
import { type LockedAccount, lockAccount, refuseInactive } from '../accounts/lock-account.ts'
import { noteLogin } from '../accounts/note-login.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { Needs } from '../auth.ts'
import type { RequestOrigin } from '../authenticate/request-origin.ts'
import { loginEvent } from '../events.ts'
import { fingerprintPrefix } from '../keys/fingerprint-prefix.ts'
import { type CheckedKey, registerKey } from '../keys/register-key.ts'
import { sendNotice } from '../notices/send-notice.ts'
import type { LoginResult } from './contract.ts'
import { InvalidCredentialsError } from './errors.ts'

export interface SignIn {
  userId: string
  /** The account's generation when the credential was checked. */
  generation: number
  key: CheckedKey
  origin: RequestOrigin
  /** How the account proved itself, as `auth.login` names it. */
  provider: string
  /** The operation, as `auth.device.registered` names it. */
  channel: string
  now: Date
}

/** The one way in. Every path that signs somebody in ends here, in the transaction that spends its credential. */
export async function completeSignIn(
  tx: Tx,
  auth: Needs<'notifier' | 'log'>,
  signIn: SignIn,
): Promise<LoginResult> {
  const { userId, generation, key, origin, provider, channel, now } = signIn
  const account = await lockAccount(tx, userId)
  // A revocation came between the check and now: what was checked counts for nothing any more.
  if (!account || account.generation !== generation) throw new InvalidCredentialsError()
  refuseInactive(account)
  const { isNew } = await registerKey(tx, { account, key, origin, channel, now })
  await noteLogin(tx, account, now)
  await recordAudit(tx, {
    act: 'login',
    actor: userId,
    target: key.keyId,
    details: { provider },
    origin,
    at: now,
  })
  if (isNew && !saidOtherwise.has(channel)) await sendNotice(tx, auth, newDevice(signIn))
  await loginEvent.emit({ userId, keyId: key.keyId, provider, ...identity(account), mfa: 'none' })
  return {
    mfaRequired: false,
    userId,
    publicId: account.publicId,
    ...identity(account),
    passwordChangeRequired: account.passwordChangeRequired,
  }
}

/** Who sets a password anew is told of that. */
const saidOtherwise: ReadonlySet<string> = new Set(['completePasswordReset'])

function newDevice({ userId, key, origin, now }: SignIn) {
  const { deviceName, platform, fingerprint } = key
  const facts = {
    deviceName,
    platform,
    fingerprintPrefix: fingerprintPrefix(fingerprint),
    at: now.toISOString(),
    address: origin.address ?? undefined,
  }
  return { userId, template: 'new-device' as const, facts }
}

function identity({ email, phone }: LockedAccount) {
  return { ...(email !== null && { email }), ...(phone !== null && { phone }) }
}
