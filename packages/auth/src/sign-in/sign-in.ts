import type { Answer, HandlerContext, Tx } from '@svc/core'
import {
  type LockedAccount,
  lockAccount,
  noteLogin,
  readContact,
  refuseInactive,
} from '../accounts/accounts.ts'
import { InvalidCredentialsError } from '../accounts/errors.ts'
import { recordAudit } from '../audit/audit.ts'
import type { Needs } from '../auth.ts'
import type { RequestOrigin } from '../caller/caller.ts'
import type { Registration, SignIn } from '../capability/capability.ts'
import type { LoginResult } from '../capability/contract.ts'
import { hashToken, newToken } from '../crypto/crypto.ts'
import { loginEvent } from '../events.ts'
import { fingerprintPrefix, fullLife, isKeyOf, noteProof, registerKey } from '../keys/keys.ts'
import { knownBrowserOf } from '../known-browser/known-browser.ts'
import { sendNotice } from '../notices/notices.ts'
import { putChallenge } from './challenge-store.ts'

export {
  deleteChallengesOf,
  deleteEveryChallenge,
  findChallenge,
  mostTries,
  overdueChallenges,
  type SignInChallenge,
  spendChallenge,
  takeChallengeTry,
} from './challenge-store.ts'

/**
 * The only function that signs in. Every way to sign in ends here, in the transaction that spends
 * its credential.
 */
export async function completeSignIn(
  tx: Tx,
  auth: Needs<'env' | 'notifier' | 'log' | 'parts'>,
  given: SignIn,
): Promise<LoginResult> {
  const signIn = { ...given, way: given.way ?? given.provider }
  const { userId, generation, origin, now } = signIn
  const account = await lockAccount(tx, userId)
  // A revocation came after the check, so the check is void.
  if (!account || account.generation !== generation) throw new InvalidCredentialsError()
  refuseInactive(account)
  if (await isFactorDue(tx, account, signIn)) return waitForFactor(tx, auth, { ...signIn, account })
  const { isNew, knownId } = await registerKey(tx, { ...signIn, ...lifeOf(signIn), account })
  if (signIn.secondFactor === 'proved')
    await noteProof(tx, { userId, keyId: signIn.key.keyId, now })
  const mfa = mfaOf(account, signIn)
  return welcome(tx, auth, { ...signIn, account, isNew, knownId, mfa, origin })
}

type Living = Pick<SignIn, 'succeeds' | 'letInBy' | 'way' | 'now'>

/** A key that another one lets in has a full life, and ends with that one. */
function lifeOf({ succeeds, letInBy = null, way, now }: Living) {
  if (succeeds || letInBy === null) return {}
  return { succeeds: { ...fullLife(now, way), madeByKeyId: letInBy } }
}

/** On a device that already signs for the account, the factor was proved before. */
async function isFactorDue(tx: Tx, { secondFactorSince, userId }: LockedAccount, signIn: SignIn) {
  if (!secondFactorSince || signIn.secondFactor) return false
  return !(await isKeyOf(tx, signIn.key, userId))
}

function mfaOf({ secondFactorSince }: LockedAccount, { secondFactor }: SignIn) {
  return secondFactorSince && secondFactor ? ('passed' as const) : ('none' as const)
}

interface Waiting extends Registration, Pick<SignIn, 'letInBy'> {
  account: LockedAccount
  origin: RequestOrigin
  provider: string
}

/**
 * The first factor is valid, and the second is required. The key is registered, and signs nothing
 * until the challenge is spent. A sign-in that is sent again gets another challenge, which
 * voids the first.
 */
async function waitForFactor(tx: Tx, { env }: Needs<'env'>, waiting: Waiting) {
  const { account, key, provider, channel, origin, now } = waiting
  const { userId, generation } = account
  const { keyId } = key
  await registerKey(tx, { ...waiting, ...lifeOf(waiting), isPending: true })
  const secret = newToken()
  const expiresAt = new Date(now.getTime() + env.SVC_AUTH_MFA_CHALLENGE_TTL_MINUTES * 60_000)
  const hash = hashToken(secret)
  await putChallenge(tx, { hash, userId, keyId, generation, provider, channel, expiresAt })
  const details = { provider }
  await recordAudit(tx, {
    act: 'login.challenged',
    target: keyId,
    actor: userId,
    details,
    origin,
    at: now,
  })
  return { mfaRequired: true, challenge: { secret, expiresAtMillis: expiresAt.getTime() } }
}

interface Welcome {
  account: LockedAccount
  key: ShownKey
  /** The id by which the browser is known from now on. */
  knownId: string | null
  /** The account did not sign with it before. */
  isNew: boolean
  /** The account is new too, so its owner needs no notice. */
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

/**
 * The user is signed in: tells the trail, the account's owner and the application, and returns the
 * account.
 */
export async function welcome(
  tx: Tx,
  auth: Needs<'env' | 'notifier' | 'log' | 'parts'>,
  signedIn: Welcome,
) {
  const { account, key, isNew, isNewUser = false, provider, channel, mfa, origin, now } = signedIn
  const { userId, publicId, passwordChangeRequired } = account
  const { keyId } = key
  await noteLogin(tx, account, now)
  const details = { provider }
  await recordAudit(tx, { act: 'login', actor: userId, target: keyId, details, origin, at: now })
  if (isNew && !isNewUser && !auth.parts.isTold(channel))
    await sendNotice(tx, auth, newDevice(signedIn))
  await loginEvent.emit({ userId, keyId, provider, ...identity(account), mfa })
  const known = knownBrowserOf(auth, { userId, knownId: signedIn.knownId, now })
  const answer = { mfaRequired: false, userId, publicId, ...identity(account), ...known }
  return { ...answer, passwordChangeRequired }
}

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

/**
 * 202 if the second factor is required: a client that looks only at the status must not take it for
 * a sign-in.
 */
export function answerSignIn<Result extends LoginResult>(
  c: HandlerContext,
  result: Result,
): Answer<Result> {
  return c.json(result, result.mfaRequired ? 202 : 200)
}

/** How many ways there are into an account from a device that has not signed in to it yet. */
export async function waysIn(tx: Tx, { parts }: Needs<'parts'>, account: LockedAccount) {
  const email = await readContact(tx, account, 'email')
  const phone = await readContact(tx, account, 'phone')
  const ways = [
    // A password alone does not sign in.
    account.passwordHash !== null && (email.value ?? phone.value) !== null,
    email.verifiedAt !== null,
    phone.verifiedAt !== null,
  ]
  return ways.filter(Boolean).length + (await parts.waysIn(tx, account))
}
