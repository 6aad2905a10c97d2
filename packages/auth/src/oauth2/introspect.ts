import type { RawContext } from '@svc/core'
import { hashToken } from '../crypto/crypto.ts'
import { type AgentService, authenticateResourceServer } from './clients/clients.ts'
import type { Introspection, IntrospectionForm } from './contract.ts'
import { OAuth2Error } from './errors.ts'
import { findHeldToken, type HeldToken, issuedAt, noteUse } from './grants/grants.ts'
import { type AccessToken, accessOf, liveHolder } from './verify-access-token.ts'

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
  return described(found, accessOf(auth, found, account))
}

const inSeconds = (moment: Date) => Math.floor(moment.getTime() / 1000)

function described({ token, grant }: HeldToken, access: AccessToken): Introspection {
  const { keyThumbprint: jkt } = grant
  const { scopes, clientId, userId, resource, permissions, tenant, actors } = access
  const act = actorOf(actors)
  return {
    active: true,
    scope: scopes.join(' '),
    client_id: clientId,
    sub: userId,
    aud: resource,
    exp: inSeconds(token.expiresAt),
    // An exchanged one ends with the token that it was given for, however long it has been there.
    ...(act ? { act } : { iat: inSeconds(issuedAt(token)) }),
    ...(jkt === null ? { token_type: 'Bearer' } : { token_type: 'DPoP', cnf: { jkt } }),
    permissions: [...permissions],
    ...(tenant && { tenant: { id: tenant.id, permissions: [...tenant.permissions] } }),
  }
}

interface Actor extends Record<string, unknown> {
  readonly sub: string
  readonly act?: Actor
}

/** Each client acts for the next (RFC 8693, section 4.1). Undefined if the user has allowed the client itself. */
const actorOf = (actors: readonly string[]) =>
  actors.reduceRight<Actor | undefined>((act, sub) => ({ sub, ...(act && { act }) }), undefined)
