import type { Tx } from '@svc/core'
import {
  createAccount,
  type Identifier,
  noteLogin,
  readIdentifier,
  refuseLargeMetadata,
} from '../accounts/accounts.ts'
import { AccountAlreadyExistsError } from '../accounts/errors.ts'
import { recordAudit } from '../audit/audit.ts'
import type { Needs } from '../auth.ts'
import type { RequestOrigin } from '../caller/caller.ts'
import type { CheckedKey } from '../capability/capability.ts'
import type { NewDeviceKey } from '../capability/fields.ts'
import { checkVerificationToken, spendVerificationToken } from '../codes/codes.ts'
import type { RegistrationContext } from '../configure-auth.ts'
import { registerEvent } from '../events.ts'
import { checkNewKey, registerKey } from '../keys/keys.ts'
import { knownBrowserOf } from '../known-browser/known-browser.ts'

interface RegisterBody extends NewDeviceKey {
  email?: string | undefined
  phone?: string | undefined
  verificationToken: string
  password: string
  metadata?: Record<string, unknown> | undefined
}

type RegisterNeeds = Needs<
  'db' | 'clock' | 'env' | 'limits' | 'passwords' | 'checkPassword' | 'parts'
>

/** Opens an account for an address or number that a one-time code has proved. */
export async function register(
  auth: RegisterNeeds,
  body: RegisterBody,
  { origin, locale }: { origin: RequestOrigin; locale: string },
) {
  const { db, clock, limits, passwords } = auth
  const identifier = readIdentifier(body)
  refuseLargeMetadata(body.metadata, 'registration')
  const key = checkNewKey(body)
  const proof = { token: body.verificationToken, purpose: 'registration' as const, identifier }
  // A caller without a valid token must not make this server hash.
  await checkVerificationToken(auth, { ...proof, now: clock.now() })
  // Only now: a stranger who knows the address must not use up the owner's tries.
  await limits.take('register by target', identifier.value)
  const { type, value } = identifier
  const owner = type === 'email' ? { email: value } : {}
  const passwordHash = await passwords.hash(await auth.checkPassword(body.password, owner), origin)
  const now = clock.now()
  return db.transaction(async (tx) => {
    await spendVerificationToken(tx, auth, { ...proof, now })
    const { userId, publicId, knownId } = await openAccountWithKey(tx, auth, {
      identifier,
      channel: 'code',
      operation: 'register',
      role: 'user',
      passwordHash,
      key,
      metadata: body.metadata,
      locale,
      origin,
      now,
    })
    const known = knownBrowserOf(auth, { userId, knownId, now })
    return { userId, publicId, [type]: value, ...known }
  })
}

interface Opening {
  /** Proved by now. Null if a provider vouches for the user, but for no address. */
  identifier: Identifier | null
  channel: RegistrationContext['channel']
  /** The provider that vouches for the user who opens it. */
  provider?: string
  /** The address as the provider reports it. */
  claimed?: { email: string | null; isVerified: boolean }
  displayName?: string | undefined
  role: string
  passwordHash: string | null
  metadata?: Record<string, unknown> | undefined
  locale: string
  origin: RequestOrigin
  now: Date
}

/**
 * Opens an account for a user who has proved an address or number, or comes from a provider, in the
 * transaction that spends the proof. Spending comes first: only the owner learns whether there is
 * an account.
 */
export async function openAccount(tx: Tx, { parts }: Needs<'parts'>, opening: Opening) {
  const { identifier, channel, origin, now } = opening
  const account = await createProved(tx, opening)
  const { userId } = account
  const metadata = opening.metadata && { metadata: opening.metadata }
  const told = { ...(identifier && { [identifier.type]: identifier.value }), ...metadata }
  // After the insert, so that it runs only for new accounts and once for each; if it throws, the
  // row is rolled back.
  const context = { channel, ...whose(opening), ...told }
  await parts.beforeRegister(context, tx)
  const details = { channel, ...(opening.provider && { provider: opening.provider }) }
  const opened = { actor: userId, target: userId, details, origin, at: now }
  await recordAudit(tx, { act: 'register', ...opened })
  // One of the first two is set: an account is never opened with neither.
  const provider = opening.provider ?? identifier?.type ?? channel
  await registerEvent.emit({ userId, provider, ...told })
  return account
}

/** The same, with the device on which it is opened. */
export async function openAccountWithKey(
  tx: Tx,
  auth: Needs<'parts'>,
  opening: Opening & {
    key: CheckedKey
    /** As `auth.device.registered` names it. */
    operation: string
  },
) {
  const account = await openAccount(tx, auth, opening)
  const { key, operation: channel, origin, now } = opening
  // Its owner has chosen it just now.
  const way = 'password'
  const { knownId } = await registerKey(tx, { account, key, origin, channel, way, now })
  // They are signed in on that device.
  await noteLogin(tx, account, now)
  const { userId, publicId } = account
  return { userId, publicId, knownId }
}

function whose({ identifier, provider, claimed }: Opening) {
  if (!claimed) return { emailVerified: identifier?.type === 'email' }
  const { email, isVerified: emailVerified } = claimed
  return { ...(provider && { provider }), emailVerified, ...(email !== null && { email }) }
}

async function createProved(tx: Tx, opening: Opening) {
  const { identifier, passwordHash, role, locale, displayName, now } = opening
  const proved = identifier && {
    [identifier.type]: identifier.value,
    ...(identifier.type === 'email' ? { emailVerifiedAt: now } : { phoneVerifiedAt: now }),
  }
  const account = await createAccount(tx, {
    ...proved,
    passwordHash,
    role,
    locale,
    displayName,
    now,
  })
  if (!account) throw new AccountAlreadyExistsError()
  return account
}
