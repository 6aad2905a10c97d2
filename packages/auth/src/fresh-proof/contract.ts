import { t } from '@svc/core/contract'
import { InvalidCredentialsError } from '../accounts/errors.ts'
import { proofRefusals } from '../caller/contract.ts'
import { limitRefusals, perMinute } from '../limits/contract.ts'

/** The account's password: it proves that the owner asks. */
export const currentPassword = t.Optional(t.String({ maxLength: 1024 }))

/**
 * An attacker with a stolen signed-in device must not be able to add a way into the account, or
 * remove one.
 */
export const ownerRefusals = [...proofRefusals, InvalidCredentialsError, ...limitRefusals] as const

/** Attempts at the password of a signed-in account. */
export const passwordLimits = {
  'password change by address': perMinute(50),
  'password change by account': perMinute(10),
}
