import type { Needs } from '../auth.ts'
import type { Keyring } from '../crypto/keyring.ts'
import { MfaUnavailableError } from './errors.ts'

/** Without it there is nothing that a secret could be kept with. */
export function requireKeyring({ keyring }: Needs<'keyring'>): Keyring {
  if (!keyring) throw new MfaUnavailableError()
  return keyring
}
