import { ServiceUnavailableError, TooManyRequestsError } from '@svc/core/contract'

/** How an operation is refused that is counted: over its limit, or while the counts can't be reached. */
export const limitRefusals = [TooManyRequestsError, ServiceUnavailableError] as const
