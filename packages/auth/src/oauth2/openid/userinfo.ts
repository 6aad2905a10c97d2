import { type RawContext, UnauthorizedError } from '@svc/core'
import { readProfile } from '../../accounts/accounts.ts'
import { mustChangePassword } from '../../authenticate/authenticate.ts'
import { hashToken } from '../../crypto/crypto.ts'
import type { AgentService } from '../clients/clients.ts'
import { dpopAlgorithms, readDpopProof } from '../dpop/dpop.ts'
import { OAuth2Error } from '../errors.ts'
import { presentedToken } from '../presented-token.ts'
import { findByToken, type SignInRow } from './store.ts'

/** What an application learns of the user whom it has signed in. */
export interface Userinfo {
  sub: string
  name?: string
  preferred_username?: string
  email?: string
  email_verified?: boolean
}

/** The claims of the scopes that the token has (OpenID Connect Core, section 5.3). */
export async function readUserinfo(auth: AgentService, raw: RawContext): Promise<Userinfo> {
  raw.header('cache-control', 'no-store')
  const shown = presentedToken(raw)
  raw.header('www-authenticate', challengeOf(shown ? ', error="invalid_token"' : ''))
  const row = shown && (await findByToken(auth.db, hashToken(shown.token), auth.clock.now()))
  // A bound token that is sent like an unbound one was stolen from its client (RFC 9449, section 7.2).
  if (!row || (row.keyThumbprint !== null) !== shown.isBound) throw new UnauthorizedError()
  if (!(await isLive(auth, row)) || !(await isShownByItsKey(auth, { row, raw, ...shown }))) {
    throw new UnauthorizedError()
  }
  const found = await readProfile(auth.db, row.userId)
  if (!found) throw new UnauthorizedError()
  raw.header('www-authenticate')
  return claimsOf(row, found)
}

function challengeOf(failure: string) {
  const scope = 'scope="openid"'
  return `Bearer ${scope}${failure}, DPoP ${scope}${failure}, algs="${dpopAlgorithms.join(' ')}"`
}

/** The token ends with the device that the user has signed in on, and with all that ends the device. */
async function isLive(auth: AgentService, { keyId, userId, generation, clientId }: SignInRow) {
  if (auth.openid?.clients.has(clientId) !== true) return false
  const row = await auth.callers(keyId)
  if (row?.userId !== userId || row.generation !== generation) return false
  if (row.status !== 'active' || mustChangePassword(auth, row)) return false
  return row.state === 'active' && row.keyExpiresAt > auth.clock.now()
}

interface Shown {
  readonly row: SignInRow
  readonly raw: RawContext
  readonly token: string
}

async function isShownByItsKey(auth: AgentService, { row, raw, token }: Shown) {
  if (row.keyThumbprint === null) return true
  try {
    const key = await readDpopProof(auth, raw, { token })
    return key?.thumbprint === row.keyThumbprint
  } catch (error) {
    if (!(error instanceof OAuth2Error)) throw error
    if (error.error === 'use_dpop_nonce') {
      const algorithms = dpopAlgorithms.join(' ')
      raw.header('www-authenticate', `DPoP error="use_dpop_nonce", algs="${algorithms}"`)
    }
    return false
  }
}

type Found = NonNullable<Awaited<ReturnType<typeof readProfile>>>

function claimsOf({ scopes }: SignInRow, { account, profile }: Found): Userinfo {
  const { publicId: sub, username, email, emailVerifiedAt } = account
  const { displayName, firstName, lastName } = profile
  const name = displayName ?? [firstName, lastName].filter((part) => part !== null).join(' ')
  // An application may find its own accounts by the address, so one that is not proved must not get there.
  const isProved = email !== null && emailVerifiedAt !== null
  return {
    sub,
    ...(scopes.includes('profile') && {
      ...(name !== '' && { name }),
      ...(username !== null && { preferred_username: username }),
    }),
    ...(scopes.includes('email') && isProved && { email, email_verified: true }),
  }
}
