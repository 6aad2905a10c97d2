import type { Tx } from '@svc/core'
import type { LockedAccount } from '../accounts/lock-account.ts'
import { noteLogin } from '../accounts/note-login.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { Needs } from '../auth.ts'
import type { RequestOrigin } from '../caller/request-origin.ts'
import { loginEvent } from '../events.ts'
import { fingerprintPrefix } from '../keys/fingerprint-prefix.ts'
import { knownBrowserOf } from '../known-browser/token.ts'
import { sendNotice } from '../notices/send-notice.ts'

interface Welcome {
  account: LockedAccount
  key: ShownKey
  /** The id by which the browser is known from now on. */
  knownId: string | null
  /** The account did not sign with it before. */
  isNew: boolean
  /** So was the account: its owner needs no word of it. */
  isNewUser?: boolean
  provider: string
  channel: string
  mfa: 'none' | 'passed'
  origin: RequestOrigin
  now: Date
}

interface ShownKey {
  keyId: string
  fingerprint: string
  deviceName?: string | null | undefined
  platform?: 'ios' | 'android' | 'web' | 'desktop' | null | undefined
}

/** Whoever gets here is in: tells it to the trail, the account's owner and the application, and answers the account. */
export async function welcome(tx: Tx, auth: Needs<'env' | 'notifier' | 'log'>, signedIn: Welcome) {
  const { account, key, isNew, isNewUser = false, provider, channel, mfa, origin, now } = signedIn
  const { userId, publicId, passwordChangeRequired } = account
  const { keyId } = key
  await noteLogin(tx, account, now)
  const details = { provider }
  await recordAudit(tx, { act: 'login', actor: userId, target: keyId, details, origin, at: now })
  if (isNew && !isNewUser && !saidOtherwise.has(channel))
    await sendNotice(tx, auth, newDevice(signedIn))
  await loginEvent.emit({ userId, keyId, provider, ...identity(account), mfa })
  const known = knownBrowserOf(auth, { userId, knownId: signedIn.knownId, now })
  const answer = { mfaRequired: false, userId, publicId, ...identity(account), ...known }
  return { ...answer, passwordChangeRequired }
}

/** Who sets a password anew is told of that; a renewed session is no new device. */
const saidOtherwise: ReadonlySet<string> = new Set(['completePasswordReset', 'sessionRenewVerify'])

function newDevice({ account, key, provider, origin, now }: Welcome) {
  const { deviceName, platform, fingerprint } = key
  const facts = {
    deviceName: deviceName ?? undefined,
    platform: platform ?? undefined,
    provider,
    fingerprintPrefix: fingerprintPrefix(fingerprint),
    at: now.toISOString(),
    address: origin.address ?? undefined,
  }
  return { userId: account.userId, template: 'new-device' as const, facts }
}

function identity({ email, phone }: LockedAccount) {
  return { ...(email !== null && { email }), ...(phone !== null && { phone }) }
}
