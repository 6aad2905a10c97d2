import type { Tx } from '@svc/core'
import { createAccount } from '../accounts/create-account.ts'
import { AccountAlreadyExistsError } from '../accounts/errors.ts'
import { type Identifier, readIdentifier } from '../accounts/identifier.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { Needs } from '../auth.ts'
import type { RequestOrigin } from '../authenticate/request-origin.ts'
import { checkVerificationToken, spendVerificationToken } from '../codes/verification-token.ts'
import { configured } from '../configure-auth.ts'
import { registerEvent } from '../events.ts'
import { checkNewKey } from '../keys/check-new-key.ts'
import type { NewDeviceKey } from '../keys/contract.ts'
import { type CheckedKey, registerKey } from '../keys/register-key.ts'

export interface RegisterBody extends NewDeviceKey {
  email?: string | undefined
  phone?: string | undefined
  verificationToken: string
  password: string
  metadata?: Record<string, unknown> | undefined
}

type RegisterNeeds = Needs<'db' | 'clock' | 'env' | 'limits' | 'passwords' | 'checkPassword'>

/** Opens an account for an address or number that a one-time code has proved. */
export async function register(
  auth: RegisterNeeds,
  body: RegisterBody,
  { origin, locale }: { origin: RequestOrigin; locale: string },
) {
  const { db, clock, limits, passwords } = auth
  const identifier = readIdentifier(body)
  await limits.take('register by address', origin.address)
  await limits.take('register by target', identifier.value)
  const key = checkNewKey(body)
  const proof = { token: body.verificationToken, purpose: 'registration' as const, identifier }
  // Nobody who has proved nothing makes this server hash.
  await checkVerificationToken(auth, { ...proof, now: clock.now() })
  const { type, value } = identifier
  const owner = type === 'email' ? { email: value } : {}
  const passwordHash = await passwords.hash(
    await auth.checkPassword(body.password, owner),
    origin.address,
  )
  const now = clock.now()
  return db.transaction(async (tx) => {
    await spendVerificationToken(tx, auth, { ...proof, now })
    const { metadata } = body
    return openAccount(tx, { identifier, passwordHash, key, metadata, locale, origin, now })
  })
}

interface Opening {
  identifier: Identifier
  passwordHash: string
  key: CheckedKey
  metadata: Record<string, unknown> | undefined
  locale: string
  origin: RequestOrigin
  now: Date
}

/** Spending the token comes before this: whether an account exists is told to who has proved the address. */
async function openAccount(tx: Tx, opening: Opening) {
  const { identifier, passwordHash, key, locale, origin, now } = opening
  const { type, value } = identifier
  const verified = type === 'email' ? { emailVerifiedAt: now } : { phoneVerifiedAt: now }
  const account = await createAccount(tx, {
    [type]: value,
    ...verified,
    passwordHash,
    role: 'user',
    locale,
    now,
  })
  if (!account) throw new AccountAlreadyExistsError()
  const { userId, publicId } = account
  const told = { [type]: value, ...(opening.metadata && { metadata: opening.metadata }) }
  // After the insert, so that it runs for new accounts only and once for each; what it throws takes the row back.
  await configured().beforeRegister?.(
    { channel: 'code', emailVerified: type === 'email', ...told },
    tx,
  )
  await registerKey(tx, { account, key, origin, channel: 'register', now })
  await recordAudit(tx, { act: 'register', actor: userId, target: userId, origin, at: now })
  await registerEvent.emit({ userId, provider: type, ...told })
  return { userId, publicId, [type]: value }
}
