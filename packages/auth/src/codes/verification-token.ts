import { randomUUID } from 'node:crypto'
import type { Tx } from '@svc/core'
import { jwtVerify, SignJWT } from 'jose'
import type { Identifier } from '../accounts/accounts.ts'
import type { Needs } from '../auth.ts'
import { spendOnce } from '../once/once.ts'
import type { Purpose } from '../purpose.ts'
import {
  InvalidVerificationTokenError,
  VerificationTokenPurposeMismatchError,
  VerificationTokenTargetMismatchError,
} from './errors.ts'
import type { CodeUse } from './store.ts'

const lifeMillis = 15 * 60_000
const issuer = 'svc-auth verification'
const typ = 'svc-verification+jwt'

interface Claims {
  jti: string
  sub: string
  purpose: string
  /**
   * The account's generation when the code was right: an account-wide revocation ends the token
   * too.
   */
  generation: number
  exp: number
}

export interface PresentedToken {
  token: string
  purpose: Purpose
  identifier: Identifier
  now: Date
}

/**
 * Makes a token for one purpose. It proves that its holder has read what was sent to the target.
 */
export async function issueVerificationToken(
  { env }: Needs<'env'>,
  { identifier, purpose, generation, now }: CodeUse & { generation: number; now: Date },
) {
  // A token's times are whole seconds.
  const expiresAt = new Date(Math.floor((now.getTime() + lifeMillis) / 1000) * 1000)
  const verificationToken = await new SignJWT({ purpose, generation })
    .setProtectedHeader({ alg: 'HS256', typ })
    .setIssuer(issuer)
    .setSubject(subjectOf(identifier))
    .setJti(randomUUID())
    .setIssuedAt(now)
    .setExpirationTime(expiresAt)
    .sign(secretOf(env))
  return { verificationToken, expiresAt: expiresAt.toISOString() }
}

/**
 * Refuses what `spendVerificationToken` would refuse, except a spent token. Call it before costly
 * work.
 */
export async function checkVerificationToken(
  { env }: Needs<'env'>,
  { token, purpose, identifier, now }: PresentedToken,
) {
  const claims = await readClaims(token, { secret: secretOf(env), now })
  if (!claims) throw new InvalidVerificationTokenError()
  if (claims.purpose !== purpose) throw new VerificationTokenPurposeMismatchError()
  if (claims.sub !== subjectOf(identifier)) throw new VerificationTokenTargetMismatchError()
  return claims
}

/** Spends it, only if the transaction commits: a failure after this leaves the token as it was. */
export async function spendVerificationToken(
  tx: Tx,
  auth: Needs<'env'>,
  presented: PresentedToken,
) {
  const { jti, exp, generation } = await checkVerificationToken(auth, presented)
  const isFirst = await spendOnce(tx, `verification:${jti}`, new Date(exp * 1000))
  if (!isFirst) throw new InvalidVerificationTokenError()
  return { generation }
}

async function readClaims(token: string, { secret, now }: { secret: Uint8Array; now: Date }) {
  try {
    const { payload } = await jwtVerify<Claims>(token, secret, {
      issuer,
      typ,
      algorithms: ['HS256'],
      requiredClaims: ['jti', 'sub', 'exp'],
      currentDate: now,
    })
    return payload
  } catch {
    // Any fault means that it is not one of our tokens.
    return null
  }
}

const subjectOf = ({ type, value }: Identifier) => `${type}:${value}`

function secretOf({ SVC_AUTH_VERIFICATION_TOKEN_SECRET }: Needs<'env'>['env']) {
  return new TextEncoder().encode(SVC_AUTH_VERIFICATION_TOKEN_SECRET)
}
