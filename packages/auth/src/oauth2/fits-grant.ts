import { authorizationServerOf } from '../authorization-server/configured.ts'
import { OAuth2Error } from '../authorization-server/errors.ts'
import type { AgentNeeds } from '../oauth2-clients/agent-needs.ts'
import { resourceNamed } from './resources.ts'
import type { GrantRow } from './store.ts'
import type { TokenRequest } from './token-request.ts'

/** A token is for what was allowed, and for nothing beside it (RFC 8707). */
export function namesResource(
  auth: AgentNeeds<'authorizationServer'>,
  { form: { resource }, raw }: Pick<TokenRequest, 'form' | 'raw'>,
  grant: Pick<GrantRow, 'resource'>,
) {
  const known = { server: authorizationServerOf(auth), ownOrigins: raw.server.ownOrigins }
  return resource === undefined || resourceNamed(known, resource) === grant.resource
}

export function checkResource(...given: Parameters<typeof namesResource>) {
  if (!namesResource(...given)) throw new OAuth2Error({ error: 'invalid_target' })
}

/** Bound tokens are renewed with their key alone, and others are not bound by a renewal (RFC 9449, section 5). */
export function showsKey(
  { key }: Pick<TokenRequest, 'key'>,
  { keyThumbprint }: Pick<GrantRow, 'keyThumbprint'>,
) {
  return (key?.thumbprint ?? null) === keyThumbprint
}

export function checkKey(...given: Parameters<typeof showsKey>) {
  if (!showsKey(...given)) throw new OAuth2Error({ error: 'invalid_dpop_proof' })
}
