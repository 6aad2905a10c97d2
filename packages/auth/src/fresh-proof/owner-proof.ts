import { t } from '@svc/core/contract'
import { InvalidCredentialsError } from '../accounts/errors.ts'
import { proofRefusals } from '../caller/proof-refusals.ts'
import { limitRefusals } from '../limits/limit-refusals.ts'

/** The account's password: it proves that it is the owner who asks. */
export const currentPassword = t.Optional(t.String({ maxLength: 1024 }))

/** A device that was taken while it was signed in must put no way in into the account, and take none away. */
export const ownerRefusals = [...proofRefusals, InvalidCredentialsError, ...limitRefusals] as const
