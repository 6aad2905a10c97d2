import { hasPassword } from '../accounts/password.ts'
import type { Needs } from '../auth.ts'
import type { Caller } from '../caller/caller.ts'
import { displayNameOf } from '../roles/display-name.ts'

export async function getAuthSession({ db }: Needs<'db'>, caller: Caller) {
  const { user, role, rolePriority, keyExpiresAt } = caller
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
    role: { name: role, displayName: await displayNameOf(db, role), priority: rolePriority },
    permissions: [...caller.permissions],
    keyId: caller.keyId,
    ...(keyExpiresAt && { keyExpiresAtMillis: keyExpiresAt.getTime() }),
  }
}
