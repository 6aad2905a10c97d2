import { OAuth2Error } from '../errors.ts'

/**
 * One refusal for every fault of a code or a refresh token, so that an attacker doesn't learn which
 * they have found.
 */
export const invalidGrant = () =>
  new OAuth2Error({
    error: 'invalid_grant',
    message: 'It is unknown, used, expired or revoked. Ask the user for access again.',
  })
