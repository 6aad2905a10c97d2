import { defineMiddleware } from '@svc/core'
import { hasProof } from '../proof/read-proof.ts'
import { admit } from './authenticate.ts'
import { signedRequest } from './credentials.ts'

/**
 * For routes that anybody may call and that know more where somebody is signed in. Without `Authorization` the request
 * is nobody's; with one that is not good it is refused, so that a client learns that its key has ended.
 */
export const optionalAuth = defineMiddleware(
  'optional-auth',
  async (raw, next) => {
    if (raw.incoming.headers.authorization !== undefined || hasProof(raw)) await admit(raw)
    await next()
  },
  {
    skips: ['auth'],
    documents: { ...signedRequest, credentials: [...signedRequest.credentials, {}] },
  },
)
