import type { RawContext } from '@svc/core'
import { configured } from '../configure-auth.ts'
import { PasswordChangeRequiredError } from './errors.ts'

/** What an account that has to change its password may still do, where that is enforced. */
const allowed = new Set([
  'PUT /_auth/password',
  'GET /_auth/session',
  'POST /_auth/logout',
  'POST /_auth/keys/list',
  'POST /_auth/keys/revoke',
])

export function refusePasswordChangeRequired(
  raw: RawContext,
  { passwordChangeRequired }: { passwordChangeRequired: boolean },
) {
  if (!passwordChangeRequired || !configured().enforcePasswordChange) return
  const { method, target } = raw.req
  if (!allowed.has(`${method} ${target.replace(/\?.*/, '')}`))
    throw new PasswordChangeRequiredError()
}
