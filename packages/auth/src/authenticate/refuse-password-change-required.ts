import type { RawContext } from '@svc/core'
import { PasswordChangeRequiredError } from '../caller/errors.ts'
import { configured } from '../configure-auth.ts'

/** What an account that has to change its password may still do, where that is enforced. */
const allowed = new Set([
  'PUT /_auth/password',
  'GET /_auth/session',
  'POST /_auth/logout',
  'POST /_auth/keys/list',
  'POST /_auth/keys/revoke',
])

interface Account {
  readonly passwordChangeRequired: boolean
}

export function refusePasswordChangeRequired(raw: RawContext, account: Account) {
  if (!mustChangePassword(account)) return
  const { method, target } = raw.req
  if (!allowed.has(`${method} ${target.replace(/\?.*/, '')}`))
    throw new PasswordChangeRequiredError()
}

export function mustChangePassword({ passwordChangeRequired }: Account) {
  return passwordChangeRequired && configured().enforcePasswordChange === true
}
