import { randomUUID } from 'node:crypto'
import { createPortableKey } from '@svc/auth'
import { CsrfTokens } from '../../packages/web/src/csrf/csrf.ts'
import { Sealer } from '../../packages/web/src/session/sealer.ts'
import type { Client } from '../auth/clients.ts'
import type { Peer } from '../auth/open-peers.ts'

const dayMillis = 86_400_000

/**
 * Accounts with a key each, written as rows, and the cookies that a sign-in through the proxy would
 * have set.
 */
export async function enrolSessions(
  { pool }: Peer,
  { count, secret }: { count: number; secret: string },
) {
  const sealer = new Sealer(secret)
  const tokens = new CsrfTokens(sealer)
  const clients: Client[] = []
  for (let index = 0; index < count; index++) {
    const { registration, ...key } = await createPortableKey()
    const userId = randomUUID()
    await pool.query(
      `insert into svc_auth.users (user_id, public_id, email, email_verified_at, role, created_at)
       values ($1, $1, $2, now(), 'user', now())`,
      [userId, `proxied${index}@example.com`],
    )
    await pool.query(
      `insert into svc_auth.device_keys
         (key_id, user_id, state, public_key, fingerprint, algorithm, created_at, authenticated_at, expires_at)
       values ($1, $2, 'active', $3, $4, 'ES256', now(), now(), now() + interval '90 days')`,
      [key.keyId, userId, registration.publicKey, registration.fingerprint],
    )
    const sealed = await sealer.seal('session', { userId, ...key }, Date.now() + 7 * dayMillis)
    const csrf = await tokens.tokenFor({ userId, ...key })
    const cookie = `__Host-svc_session=${sealed}; svc_csrf=${csrf}`
    clients.push(async () => ({ cookie }))
  }
  return clients
}
