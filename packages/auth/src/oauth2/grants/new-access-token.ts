import type { Tx } from '@svc/core'
import { hashToken, newToken } from '../../crypto/crypto.ts'
import { findKeyLife } from '../../keys/keys.ts'
import { type JwtResource, longestToken } from '../access-tokens/access-tokens.ts'
import { authorizationServerOf } from '../authorization-server.ts'
import type { AgentService } from '../clients/clients.ts'
import { OAuth2Error } from '../errors.ts'
import { signAccessToken } from '../id-tokens/id-tokens.ts'
import { accessOf, liveHolder } from './access.ts'
import { claimsOf, inSeconds } from './claims.ts'
import type { HeldToken, Holder } from './held-token.ts'
import { invalidGrant } from './invalid-grant.ts'

export const accessMillis = 3_600_000

interface Fresh {
  readonly grant: HeldToken['grant']
  readonly scopes: string[]
  readonly now: Date
  /** An exchanged token ends with the one that it was given for. */
  readonly notAfter?: Date
}

/**
 * An access token, the row that is stored of it, and what its client is told. Every one is made here, while its account is
 * locked.
 */
export async function newAccessToken(tx: Tx, auth: AgentService, fresh: Fresh) {
  const { grant, scopes, now, notAfter } = fresh
  const form = auth.jwtResources.get(grant.resource)
  const millis = now.getTime() + (form ? form.lifetimeSeconds * 1000 : accessMillis)
  const expiresAt = new Date(Math.min(millis, notAfter?.getTime() ?? millis))
  const held = { token: { scopes, expiresAt }, grant }
  const token = form ? await signed(tx, auth, { ...fresh, ...form, held }) : newToken()
  const { grantId, keyThumbprint } = grant
  return {
    row: { tokenHash: hashToken(token), grantId, kind: 'access' as const, scopes, expiresAt },
    answer: {
      access_token: token,
      token_type: keyThumbprint === null ? ('Bearer' as const) : ('DPoP' as const),
      expires_in: Math.floor((expiresAt.getTime() - now.getTime()) / 1000),
      scope: scopes.join(' '),
    },
  }
}

interface Signing extends Fresh, JwtResource {
  readonly held: HeldToken
}

/** RFC 9068. An opaque token that is void is refused when it comes. This one would be accepted, so it is not issued. */
async function signed(tx: Tx, auth: AgentService, { held, key, now }: Signing) {
  const account = liveHolder(auth, held, await holderOf(tx, auth, held))
  if (!account) throw invalidGrant()
  const token = await signAccessToken(key, {
    iss: authorizationServerOf(auth).issuer,
    iat: inSeconds(now),
    // RS256 gives the same signature for the same claims: this alone can't be guessed.
    jti: newToken(),
    ...claimsOf(held, accessOf(auth, held, account)),
  })
  if (token.length > longestToken) {
    throw new OAuth2Error({
      error: 'invalid_scope',
      message: 'The token would be too long. Ask for fewer scopes.',
    })
  }
  return token
}

/** The account, and the device that the grant is bound to: what ends them waits for the lock of the account, as this does. */
async function holderOf(tx: Tx, auth: AgentService, { grant }: HeldToken): Promise<Holder | null> {
  const { userId, tenant, keyId } = grant
  const account = await auth.lockedAccounts(tx, userId, tenant)
  if (!account || keyId === null) return account
  const key = await findKeyLife(tx, keyId)
  return key && { ...account, ...key }
}
