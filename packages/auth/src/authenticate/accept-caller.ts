import { ForbiddenError, type RawContext } from '@svc/core'
import { refuseInactive } from '../accounts/accounts.ts'
import { authOf, type Needs } from '../auth.ts'
import {
  type AccountRow,
  type Caller,
  type CallerRow,
  callerFrom,
  noteActor,
  setCaller,
  setStanding,
} from '../caller/caller.ts'
import { PasswordChangeRequiredError } from '../caller/errors.ts'

/** For every kind of proof: checks that the account may act, and makes it the caller. */
export function acceptCaller(raw: RawContext, row: AccountRow & Partial<CallerRow>) {
  refuseInactive(row)
  refusePasswordChangeRequired(raw, row)
  setCaller(raw, callerFrom(row))
  if (row.standing) setStanding(raw, row.standing)
  if (row.actorId) noteActor(raw, row.actorId)
}

/** What a user who has to change their password may still do, if that is enforced. */
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

function refusePasswordChangeRequired(raw: RawContext, account: Account) {
  if (!mustChangePassword(authOf(raw.server), account)) return
  const { method, target } = raw.req
  if (!allowed.has(`${method} ${target.replace(/\?.*/, '')}`))
    throw new PasswordChangeRequiredError()
}

export function mustChangePassword(
  { configuration }: Needs<'configuration'>,
  { passwordChangeRequired }: Account,
) {
  return passwordChangeRequired && configuration().enforcePasswordChange === true
}

/**
 * For credentials that replace a request's key and end with that key: if no key signed the request,
 * they would never end.
 */
export function refuseKeyless({ keyId }: Pick<Caller, 'keyId'>) {
  if (keyId === '') throw new ForbiddenError({ message: 'Ask for it with a device key.' })
}
