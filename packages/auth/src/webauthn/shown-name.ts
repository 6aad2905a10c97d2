import type { Variable } from '@svc/core'

/** A name that authenticators show. Theirs end at a colon: `otpauth://totp/<issuer>:<account>`. */
export const shownName: Variable<string | undefined> = (given) =>
  given === undefined || /^[^:\p{Cc}]{1,64}$/u.test(given)
    ? { value: given }
    : { problem: 'must be up to 64 characters without a colon' }
