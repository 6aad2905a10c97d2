import type { Needs } from '../auth.ts'
import type { RequestOrigin } from '../caller/request-origin.ts'
import type { NewDeviceKey } from '../capability/key-fields.ts'
import { hashToken } from '../crypto/token.ts'
import { checkNewKey } from '../keys/check-new-key.ts'
import { knownBrowserOf } from '../known-browser/token.ts'
import { findOpened } from '../links/find-link.ts'
import { spendOpened } from '../links/spend-link.ts'
import { openAccountWithKey } from '../register/open-account.ts'
import { InvalidSignupSetupSessionError } from './errors.ts'

export interface SetupBody extends NewDeviceKey {
  setupSecret: string
  password: string
}

type SignupNeeds = Needs<'db' | 'clock' | 'env' | 'passwords' | 'checkPassword' | 'parts'>

/** Opens the account whose address the link has proved. A password that is too weak leaves the session as it was. */
export async function completeSignup(auth: SignupNeeds, body: SetupBody, origin: RequestOrigin) {
  const { db, clock, passwords } = auth
  const key = checkNewKey(body)
  const presented = { purpose: 'signup' as const, hash: hashToken(body.setupSecret) }
  // Nobody without a session makes this server hash.
  const session = await findOpened(db, { ...presented, now: clock.now() })
  if (!session) throw new InvalidSignupSetupSessionError()
  const { subject: email, locale } = session
  const password = await auth.checkPassword(body.password, { email })
  const passwordHash = await passwords.hash(password, origin)
  const now = clock.now()
  return db.transaction(async (tx) => {
    if (!(await spendOpened(tx, { ...presented, now }))) throw new InvalidSignupSetupSessionError()
    const { userId, publicId, knownId } = await openAccountWithKey(tx, auth, {
      identifier: { type: 'email', value: email },
      channel: 'link',
      operation: 'completeSignup',
      role: 'user',
      passwordHash,
      key,
      locale: locale ?? 'en',
      origin,
      now,
    })
    return { userId, publicId, email, ...knownBrowserOf(auth, { userId, knownId, now }) }
  })
}
