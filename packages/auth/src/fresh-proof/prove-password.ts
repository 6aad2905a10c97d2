import type { Needs } from '../auth.ts'
import type { PlacedHasher } from '../passwords/password-hasher.ts'
import { rehash } from './rehash.ts'

interface Proof {
  /** Null for nobody at all: refused after as long as a wrong password takes. */
  account: { userId: string; passwordHash: string | null } | null
  password: string
  hasher: Pick<PlacedHasher, 'verify'>
}

/** Whether it is the account's password: wherever one is asked for. A right one is hashed again where it is due. */
export async function provePassword(
  auth: Needs<'db' | 'passwords' | 'log'>,
  { account, password, hasher }: Proof,
) {
  const isRight = await hasher.verify(password, account?.passwordHash ?? null)
  if (isRight && account) rehash(auth, { account, password })
  return isRight
}
