import { readIdentifier } from '../accounts/identifier.ts'
import { refuseLargeMetadata } from '../accounts/metadata.ts'
import type { Needs } from '../auth.ts'
import type { RequestOrigin } from '../caller/request-origin.ts'
import type { NewDeviceKey } from '../capability/key-fields.ts'
import { checkVerificationToken, spendVerificationToken } from '../codes/verification-token.ts'
import { checkNewKey } from '../keys/check-new-key.ts'
import { knownBrowserOf } from '../known-browser/token.ts'
import { openAccountWithKey } from './open-account.ts'

export interface RegisterBody extends NewDeviceKey {
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
  // Nobody who has proved nothing makes this server hash.
  await checkVerificationToken(auth, { ...proof, now: clock.now() })
  // Not before: a stranger who knows the address must not use up the owner's tries.
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
