import type { Needs } from '../auth.ts'
import { refuseKeyless } from '../authenticate/refuse-keyless.ts'
import type { Caller } from '../caller/caller.ts'
import { hashToken, newToken } from '../crypto/token.ts'
import { insertToken } from './store.ts'

// Long enough to open a stream over a slow network, short enough that one in a log is dead.
const lifeMillis = 30_000

/** Where a request cannot be signed, as in a browser's EventSource, this stands for its signature once. */
export async function issueOneTimeToken(
  { db, clock }: Needs<'db' | 'clock'>,
  { userId, keyId }: Pick<Caller, 'userId' | 'keyId'>,
) {
  refuseKeyless({ keyId })
  const token = newToken()
  const expiresAt = new Date(clock.now().getTime() + lifeMillis)
  await insertToken(db, { tokenHash: hashToken(token), userId, keyId, expiresAt })
  return { token, expiresAt: expiresAt.toISOString() }
}
