import { type AuthApi, createAuthApi, RevokeAllLinkError } from '@svc/auth'
import { type HttpError, type SignRequest, ValidationError } from '@svc/core/client'

/** The two operations that a mailed link stands for. The token travels in the body. */
export type RevokeAllApi = Pick<AuthApi, 'confirmRevokeAllLink' | 'consumeRevokeAllLink'>

export function revokeAllApi(baseUrl: string, sign: SignRequest): RevokeAllApi {
  return createAuthApi({ baseUrl, sign })
}

/**
 * Whether the API has refused the link. What else goes wrong says nothing about it. A token that does not even look like
 * one is refused by its shape.
 */
export function isRefusal(error: HttpError) {
  return error instanceof RevokeAllLinkError || error instanceof ValidationError
}
