import type { Tx } from '@svc/core'
import { createAccount } from '../accounts/create-account.ts'
import { AccountAlreadyExistsError } from '../accounts/errors.ts'
import type { Identifier } from '../accounts/identifier.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { RequestOrigin } from '../authenticate/request-origin.ts'
import { configured, type RegistrationContext } from '../configure-auth.ts'
import { registerEvent } from '../events.ts'
import { type CheckedKey, registerKey } from '../keys/register-key.ts'

export interface Opening {
  /** Proved by now. */
  identifier: Identifier
  channel: RegistrationContext['channel']
  /** As `auth.device.registered` names it. */
  operation: string
  role: string
  passwordHash: string
  key: CheckedKey
  metadata?: Record<string, unknown> | undefined
  locale: string
  origin: RequestOrigin
  now: Date
}

/**
 * Opens an account for an address or number that is proved, in the transaction that spends the proof. Spending comes
 * first: whether there is an account is told to its owner only.
 */
export async function openAccount(tx: Tx, opening: Opening) {
  const { identifier, channel, operation, key, origin, now } = opening
  const { type, value } = identifier
  const account = await createProved(tx, opening)
  const { userId } = account
  const told = { [type]: value, ...(opening.metadata && { metadata: opening.metadata }) }
  // After the insert, so that it runs for new accounts only and once for each; what it throws takes the row back.
  await configured().beforeRegister?.({ channel, emailVerified: type === 'email', ...told }, tx)
  await registerKey(tx, { account, key, origin, channel: operation, now })
  await recordAudit(tx, {
    act: 'register',
    actor: userId,
    target: userId,
    details: { channel },
    origin,
    at: now,
  })
  await registerEvent.emit({ userId, provider: type, ...told })
  return account
}

async function createProved(tx: Tx, { identifier, passwordHash, role, locale, now }: Opening) {
  const { type, value } = identifier
  const verified = type === 'email' ? { emailVerifiedAt: now } : { phoneVerifiedAt: now }
  const given = { [type]: value, ...verified, passwordHash, role, locale, now }
  const account = await createAccount(tx, given)
  if (!account) throw new AccountAlreadyExistsError()
  return account
}
