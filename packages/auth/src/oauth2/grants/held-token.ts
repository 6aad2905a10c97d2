import type { AccountWithStanding } from '../../caller/caller.ts'
import type { TokenHash } from '../../crypto/crypto.ts'
import type { AgentNeeds } from '../clients/clients.ts'
import { ancestorsStand } from './ancestors.ts'
import type { FoundToken } from './token-store.ts'

/** The account of a grant, and the device key that its tokens are bound to, if there is one. */
export interface Holder extends AccountWithStanding {
  readonly state?: string
  readonly keyExpiresAt?: Date
}

/** An access token with its grant. */
export interface HeldToken {
  readonly token: Pick<FoundToken['token'], 'scopes' | 'expiresAt'>
  readonly grant: Pick<
    FoundToken['grant'],
    | 'grantId'
    | 'state'
    | 'userId'
    | 'tenant'
    | 'generation'
    | 'clientId'
    | 'resource'
    | 'keyThumbprint'
    | 'keyId'
    | 'lastUsedAt'
    | 'ancestors'
    | 'actors'
    | 'issuer'
  >
}

interface Row extends Omit<HeldToken['grant'], 'state' | 'userId' | 'generation'> {
  readonly scopes: string[]
  readonly expiresAt: Date
  readonly grantState: HeldToken['grant']['state']
  readonly grantGeneration: number
  readonly keyState: string | null
  readonly keyExpiresAt: Date | null
}

const select = `
  asked.scopes, asked.expires_at as "expiresAt", asked.grant_id as "grantId", asked.state as "grantState",
  asked.tenant, asked.generation as "grantGeneration", asked.client_id as "clientId", asked.resource,
  asked.key_thumbprint as "keyThumbprint", asked.key_id as "keyId", asked.last_used_at as "lastUsedAt",
  asked.ancestors, asked.actors, asked.issuer, asked.key_state as "keyState", asked.key_expires_at as "keyExpiresAt"`

// Whether a support key is live depends on its operator, who is not read here.
const from = `
  select t.scopes, t.expires_at, g.grant_id, g.state, g.user_id, g.tenant, g.generation, g.client_id,
    g.resource, g.key_thumbprint, g.key_id, g.last_used_at, g.ancestors, g.actors, g.issuer,
    k.state as key_state, k.expires_at as key_expires_at
  from svc_auth.oauth2_tokens t
  join svc_auth.oauth2_grants g on g.grant_id = t.grant_id
  left join svc_auth.device_keys k on k.key_id = g.key_id and k.kind <> 'support'
  where t.token_hash = $1 and t.kind = 'access' and g.resource = any($2) and ${ancestorsStand('g')}`

interface Asked {
  readonly tokenHash: TokenHash
  readonly resources: readonly string[]
}

/**
 * An access token for one of these resources, with all that decides whether it is valid. It is one statement, so
 * that nothing of it can be from before an end of which the rest is from after.
 */
export async function findHeldToken(
  { owners }: AgentNeeds<'owners'>,
  { tokenHash, resources }: Asked,
): Promise<(HeldToken & { readonly holder: Holder }) | null> {
  const row = await owners<Row>({ select, from, values: [tokenHash, resources] })
  if (!row) return null
  const { grantState: state, grantGeneration: generation, keyState, keyExpiresAt, ...read } = row
  const key = { state: keyState ?? 'unknown', keyExpiresAt: keyExpiresAt ?? new Date(0) }
  return {
    token: read,
    grant: { ...read, state, generation },
    holder: { ...read, ...(read.keyId !== null && key) },
  }
}
