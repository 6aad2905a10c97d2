import type { Credential, MiddlewareDocuments } from '@svc/core'
import { ServiceUnavailableError, UnauthorizedError } from '@svc/core/contract'
import { AccountDisabledError, AccountPendingDeletionError } from '../accounts/errors.ts'
import {
  KeyExpiredError,
  PasswordChangeRequiredError,
  RequestBindingError,
  RequestReplayedError,
  TokenExpiredError,
} from '../caller/errors.ts'

/** What an account may be refused with, whatever proved who it is. */
export const accountRefusals = [
  UnauthorizedError,
  AccountDisabledError,
  AccountPendingDeletionError,
  PasswordChangeRequiredError,
] as const

const requestJwt: Credential = {
  requestJwt: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description:
      'A token for this one request, which the device signs with its own key (ES256 or RS256). `kid` in its header names the key; `aud`, `htm`, `htu` and `bh` are the origin, the method, the target and the hash of the body, `exp` is soon after `iat`, and `jti` is good once. No server hands it out: signing in registers the key.',
  },
}

/** What documents say of a request that is signed with a device key. */
export const signedRequest = {
  credentials: [requestJwt],
  errors: [
    ...accountRefusals,
    KeyExpiredError,
    TokenExpiredError,
    RequestBindingError,
    RequestReplayedError,
    // Where the used tokens are cannot be reached.
    ServiceUnavailableError,
  ],
} satisfies MiddlewareDocuments
