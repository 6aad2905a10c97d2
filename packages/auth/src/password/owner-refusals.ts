import { ServiceUnavailableError, TooManyRequestsError } from '@svc/core/contract'
import { RecentAuthenticationRequiredError, StepUpRequiredError } from '../authenticate/errors.ts'
import { InvalidCredentialsError } from '../login/errors.ts'

/** A device that was taken while it was signed in must put no way in into the account, and take none away. */
export const ownerRefusals = [
  RecentAuthenticationRequiredError,
  InvalidCredentialsError,
  StepUpRequiredError,
  TooManyRequestsError,
  ServiceUnavailableError,
] as const
