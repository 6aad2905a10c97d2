import type { AccessToken } from './access.ts'
import type { HeldToken } from './held-token.ts'

export const inSeconds = (moment: Date) => Math.floor(moment.getTime() / 1000)

/** What the server of a resource elsewhere learns of an access token: by asking, or from the token if that is a JWT. */
export function claimsOf({ token, grant }: HeldToken, access: AccessToken) {
  const { keyThumbprint: jkt } = grant
  const { scopes, clientId, userId, resource, permissions, tenant, actors } = access
  const act = actorOf(actors)
  return {
    scope: scopes.join(' '),
    client_id: clientId,
    sub: userId,
    aud: resource,
    exp: inSeconds(token.expiresAt),
    ...(act && { act }),
    ...(jkt !== null && { cnf: { jkt } }),
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
