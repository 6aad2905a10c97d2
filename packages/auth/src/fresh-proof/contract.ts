import { t } from '@svc/core/contract'
import { InvalidCredentialsError } from '../accounts/errors.ts'
import { proofRefusals } from '../caller/contract.ts'
import { limitRefusals, perMinute } from '../limits/contract.ts'

/** The account's password: it proves that it is the owner who asks. */
export const currentPassword = t.Optional(t.String({ maxLength: 1024 }))

/** A device that was taken while it was signed in must put no way in into the account, and take none away. */
export const ownerRefusals = [...proofRefusals, InvalidCredentialsError, ...limitRefusals] as const

/** Tries at the password of an account that is signed in. */
export const passwordLimits = {
  'password change by address': perMinute(50),
  'password change by account': perMinute(10),
}
