import { ValidationError } from '@svc/core'
import type { Needs } from '../auth.ts'
import type { RequestOrigin } from '../caller/request-origin.ts'
import type { PlacedHasher } from '../passwords/password-hasher.ts'

export interface Credential {
  password?: string | undefined
  verificationToken?: string | undefined
}

interface Ways<Result> {
  byPassword: (password: string, placed: PlacedHasher) => Promise<Result>
  byToken: (verificationToken: string) => Promise<Result>
}

/** Continues with the one of the two that was given. */
export async function byCredential<Result>(
  { passwords }: Needs<'passwords'>,
  { password, verificationToken, origin }: Credential & { origin: RequestOrigin },
  { byPassword, byToken }: Ways<Result>,
): Promise<Result> {
  if (password !== undefined && verificationToken === undefined) {
    // Before the account is looked up: otherwise a flood would take the database away from signed requests.
    return passwords.withPlace(origin, (placed) => byPassword(password, placed))
  }
  if (verificationToken !== undefined && password === undefined) return byToken(verificationToken)
  const message = 'Give either a password or a verificationToken.'
  throw new ValidationError({ fields: [{ path: 'body', message }] })
}
