import { type OutputOf, route, t } from '@svc/core/contract'
import { allow } from '../access.ts'

const AuthSession = t.Object({
  userId: t.String(),
  publicId: t.String(),
  email: t.Optional(t.String()),
  emailVerified: t.Boolean(),
  phone: t.Optional(t.String()),
  phoneVerified: t.Boolean(),
  username: t.Optional(t.String()),
  locale: t.String(),
  status: t.String(),
  hasPassword: t.Boolean(),
  passwordChangeRequired: t.Boolean(),
  role: t.Object({ name: t.String(), displayName: t.String(), priority: t.Integer() }),
  permissions: t.Array(t.String()),
  keyId: t.String(),
  keyExpiresAtMillis: t.Optional(t.Integer()),
})
export type AuthSession = OutputOf<typeof AuthSession>

export const sessionContract = {
  getAuthSession: allow.bearer(
    route
      .get('/_auth/session')
      .answer(AuthSession)
      .describe({ summary: 'Who is signed in, and what they may do.' }),
  ),
}
