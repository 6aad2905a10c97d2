import type { RawContext } from '@svc/core'
import { decodeJwt } from 'jose'
import { hashToken } from '../crypto/crypto.ts'
import { isJwtForm } from './access-tokens/access-tokens.ts'
import { type AgentService, authenticateResourceServer } from './clients/clients.ts'
import type { Introspection, IntrospectionForm } from './contract.ts'
import { OAuth2Error } from './errors.ts'
import {
  accessOf,
  claimsOf,
  findHeldToken,
  type HeldToken,
  inSeconds,
  issuedAt,
  liveHolder,
  noteUse,
} from './grants/grants.ts'

interface Question {
  raw: RawContext
  form: IntrospectionForm
}

/**
 * What an access token gives access to now (RFC 7662). The server of a resource learns of no other
 * tokens than those for that resource: everything else is not active, and looks the same.
 */
export async function introspect(
  auth: AgentService,
  { raw, form }: Question,
): Promise<Introspection> {
  const resource = await authenticateResourceServer(auth, raw, form)
  const { token } = form
  if (token === undefined) {
    throw new OAuth2Error({ error: 'invalid_request', message: 'The token is missing.' })
  }
  // Also of a text that can't be a token: it takes as long as an unknown one.
  const found = await findHeldToken(auth, { tokenHash: hashToken(token), resources: [resource] })
  const account = found && liveHolder(auth, found, found.holder)
  if (!account) return { active: false }
  await noteUse(auth.db, found.grant, auth.clock.now())
  return {
    active: true,
    ...issuedOf(token, found),
    ...claimsOf(found, accessOf(auth, found, account)),
    token_type: found.grant.keyThumbprint === null ? 'Bearer' : 'DPoP',
  }
}

interface Issued {
  readonly iss: string
  readonly iat: number
  readonly jti: string
}

/** Trusted without a signature: only a token that this server has issued is found by its hash. */
function issuedOf(token: string, { grant, token: row }: HeldToken) {
  if (isJwtForm(token)) {
    const { iss, iat, jti } = decodeJwt<Issued>(token)
    return { iss, iat, jti }
  }
  // An exchanged one ends with the token that it was given for, however long it has been there.
  return grant.actors === null ? { iat: inSeconds(issuedAt(row)) } : {}
}
