import { hashToken, newToken } from '../../crypto/crypto.ts'
import { type JwtResource, longestToken } from '../access-tokens/access-tokens.ts'
import { authorizationServerOf } from '../authorization-server.ts'
import type { AgentService } from '../clients/clients.ts'
import { OAuth2Error } from '../errors.ts'
import { signAccessToken } from '../id-tokens/id-tokens.ts'
import { accessOf, liveHolder } from './access.ts'
import { claimsOf, inSeconds } from './claims.ts'
import type { HeldToken, Holder } from './held-token.ts'
import { invalidGrant } from './invalid-grant.ts'
import type { GrantRow } from './store.ts'

export const accessMillis = 3_600_000

/**
 * The account that a JWT has to describe. Read it before a transaction, which must not wait for another connection.
 * Null for a grant whose tokens say nothing.
 */
export async function holderFor(
  auth: AgentService,
  { resource, userId, tenant }: Pick<GrantRow, 'resource' | 'userId' | 'tenant'>,
): Promise<Holder | null> {
  if (!auth.jwtResources.has(resource)) return null
  return auth.accounts(userId, tenant ?? undefined)
}

interface Fresh {
  readonly grant: HeldToken['grant']
  readonly holder: Holder | null
  readonly scopes: string[]
  readonly now: Date
  /** An exchanged token ends with the one that it was given for. */
  readonly notAfter?: Date
}

/** An access token, the row that is stored of it, and what its client is told. Every one is made here. */
export async function newAccessToken(auth: AgentService, fresh: Fresh) {
  const { grant, scopes, now, notAfter } = fresh
  const form = auth.jwtResources.get(grant.resource)
  const millis = now.getTime() + (form ? form.lifetimeSeconds * 1000 : accessMillis)
  const expiresAt = new Date(Math.min(millis, notAfter?.getTime() ?? millis))
  const held = { token: { scopes, expiresAt }, grant }
  const token = form ? await signed(auth, { ...fresh, ...form, held }) : newToken()
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
async function signed(auth: AgentService, { held, holder, key, now }: Signing) {
  const account = liveHolder(auth, held, holder)
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
