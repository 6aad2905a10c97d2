import type { Needs } from '../auth.ts'
import { hashToken, newToken } from '../crypto/token.ts'
import { openLink } from './open-link.ts'
import type { LinkPurpose } from './schema.ts'

interface Opening {
  purpose: LinkPurpose
  token: string
  ttlMinutes: number
}

/** Spends a link, and opens the session in which one password can be set. Null when the link is no good. */
export async function openSetup(
  { db, clock }: Needs<'db' | 'clock'>,
  { purpose, token, ttlMinutes }: Opening,
) {
  const now = clock.now()
  const setupSecret = newToken()
  const expiresAt = new Date(now.getTime() + ttlMinutes * 60_000)
  const presented = { purpose, hash: hashToken(token), now }
  const opened = await openLink(db, presented, { setupHash: hashToken(setupSecret), expiresAt })
  if (!opened) return null
  const { email, returnPath } = opened
  const setupExpiresAt = expiresAt.toISOString()
  return { email, returnPath: returnPath ?? '/', setupSecret, setupExpiresAt }
}
