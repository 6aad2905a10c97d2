import { OAuth2Error } from '../authorization-server/errors.ts'

/** One refusal for whatever is wrong with a code or a refresh token: nobody learns by it which they have found. */
export const invalidGrant = () =>
  new OAuth2Error({
    error: 'invalid_grant',
    message: 'It is unknown, used, expired or taken back: ask for access again.',
  })
