import type { Db } from '@svc/core'
import { sql } from 'drizzle-orm'
import { jwtVerify, SignJWT } from 'jose'
import { type Needs, runningAuth } from '../auth.ts'
import {
  type AccountRow,
  accountColumns,
  type CallerReader,
  type CallerRow,
  type Stored,
  withRoles,
} from '../caller/caller.ts'
import { isUuid } from '../pg-schema.ts'

const issuer = 'svc-auth'

/**
 * Tokens that the server signs itself: for clients from before device keys, and only if
 * `SVC_AUTH_JWT_SECRET` is set. A stolen one is enough to act as the account, so new clients don't
 * get them.
 */
export async function legacyCaller(
  { callers, clock, db, env }: Needs<'callers' | 'clock' | 'db' | 'env'>,
  authorization: string[] | undefined,
): Promise<(AccountRow & Partial<CallerRow>) | null> {
  const token =
    authorization?.length === 1 && /^Bearer ([\w.-]{1,4096})$/i.exec(authorization[0] ?? '')?.[1]
  const secret = legacySecret(env)
  if (!token || !secret) return null
  const now = clock.now()
  const claims = await readClaims(token, { secret, now })
  if (!claims) return null
  const { userId, keyId, generation } = claims
  const row =
    keyId === undefined ? await readAccount(db, userId) : await liveKey(callers, { keyId, now })
  if (row?.userId !== userId) return null
  // An account-wide revocation ends these too.
  return generation === undefined || generation === row.generation ? row : null
}

async function liveKey(callers: CallerReader, { keyId, now }: { keyId: string; now: Date }) {
  const row = await callers(keyId)
  return row?.state === 'active' && row.keyExpiresAt > now ? row : null
}

/** Signs such a token for an account, for applications that still have clients which need one. */
export async function issueLegacyToken(userId: string): Promise<string> {
  const { clock, db, env } = runningAuth()
  const secret = legacySecret(env)
  if (!secret) throw new Error('Set SVC_AUTH_JWT_SECRET to sign legacy tokens.')
  const row = await readAccount(db, userId)
  if (!row) throw new Error(`There is no account ${userId}.`)
  const now = clock.now()
  return new SignJWT({ userId, generation: row.generation })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setIssuer(issuer)
    .setIssuedAt(now)
    .setExpirationTime(new Date(now.getTime() + env.SVC_AUTH_JWT_EXPIRES_IN))
    .sign(secret)
}

interface LegacyClaims {
  userId: string
  keyId?: string
  generation?: number
}

async function readClaims(token: string, { secret, now }: { secret: Uint8Array; now: Date }) {
  try {
    const { payload } = await jwtVerify<LegacyClaims>(token, secret, {
      issuer,
      algorithms: ['HS256'],
      requiredClaims: ['exp'],
      currentDate: now,
    })
    return typeof payload.userId === 'string' ? payload : null
  } catch {
    // A token with any fault is not one of ours.
    return null
  }
}

function legacySecret({ SVC_AUTH_JWT_SECRET }: Needs<'env'>['env']) {
  return SVC_AUTH_JWT_SECRET === undefined ? null : new TextEncoder().encode(SVC_AUTH_JWT_SECRET)
}

/** The account of a request that no device key has signed. */
export async function readAccount(db: Db, userId: string) {
  if (!isUuid(userId)) return null
  const { rows } = await db.execute(sql`
    select ${sql.raw(accountColumns)}
    from svc_auth.users u join svc_auth.roles r on r.name = u.role
    where u.user_id = ${userId}`)
  const [row] = rows as unknown as Stored<AccountRow>[]
  return row ? withRoles(row) : null
}
