import { createHash } from 'node:crypto'

/** One password in the two forms that a stored hash may have been made of. */
export interface PasswordForms {
  sent: string
  normalised: string
}

/** bcrypt stops at 72 bytes, and others at a NUL. These are 64 characters without one, of the whole password. */
export function preHash({ normalised }: PasswordForms) {
  return createHash('sha384').update(normalised).digest('base64')
}
