import { type Db, type Tx, UnauthorizedError } from '@svc/core'
import { hasPassword } from '../accounts/accounts.ts'
import type { Needs } from '../auth.ts'
import type { Caller, KeyBinding } from '../caller/caller.ts'
import { type Signer, windowOf } from '../keys/keys.ts'
import { describeRoles } from '../roles/roles.ts'
import type { AuthSession, SessionBinding } from './contract.ts'

interface Asking {
  caller: Caller
  /** Undefined where support sessions are off. */
  supportConsent: AuthSession['supportConsent']
}

export async function getAuthSession({ db }: Needs<'db'>, { caller, supportConsent }: Asking) {
  const { user, keyExpiresAt } = caller
  const { userId, publicId, email, phone, username, status, passwordChangeRequired } = user
  return {
    userId,
    publicId,
    ...(email !== null && { email }),
    emailVerified: user.emailVerifiedAt !== null,
    ...(phone !== null && { phone }),
    phoneVerified: user.phoneVerifiedAt !== null,
    ...(username !== null && { username }),
    locale: caller.locale,
    status,
    hasPassword: await hasPassword(db, userId),
    passwordChangeRequired,
    ...(await rolesFor(db, caller)),
    permissions: [...caller.permissions],
    keyId: caller.keyId,
    ...(keyExpiresAt && { keyExpiresAtMillis: keyExpiresAt.getTime() }),
    ...(caller.actor !== null && { actor: caller.actor }),
    ...(supportConsent && { supportConsent }),
  }
}

/** `role` is in the list even if it is inactive. */
async function rolesFor(db: Db, caller: Caller) {
  const { role: name, rolePriority: priority, roles } = caller
  const described = await describeRoles(db, roles.length > 0 ? roles : [name])
  // A role may have been deleted since the request began.
  const [role = { name, displayName: name, priority }] = described
  return { role, roles: roles.length > 0 ? described : [] }
}

/** The binding of the key that signed the request: each device is bound for itself. */
export function getSessionBinding({ binding, keyExpiresAt }: Caller): SessionBinding {
  return sessionBinding({ binding, expiresAt: keyExpiresAt })
}

interface Window {
  binding: KeyBinding | null
  expiresAt: Date | null
}

/**
 * The result of a change. Null means that another request was faster: then its result is returned.
 */
export async function changedBinding(tx: Tx, key: Signer, changed: Window | null) {
  const window = changed ?? (await windowOf(tx, key))
  if (!window) throw new UnauthorizedError()
  return sessionBinding(window)
}

function sessionBinding({ binding, expiresAt }: Window): SessionBinding {
  return { mode: binding ?? 'none', ...(expiresAt && { keyExpiresAtMillis: expiresAt.getTime() }) }
}
