import { NotFoundError } from '@svc/core'
import { authorizationServerOf } from '../authorization-server/configured.ts'
import type { Caller } from '../caller/caller.ts'
import type { RequestOrigin } from '../caller/request-origin.ts'
import { lockCaller } from '../keys/lock-caller.ts'
import type { AgentService } from '../oauth2-clients/agent-needs.ts'
import { clientsById } from '../oauth2-clients/clients-by-id.ts'
import type { OAuth2Client } from '../oauth2-clients/find-client.ts'
import { redirectHost } from '../oauth2-clients/redirect-uri.ts'
import { isUuid } from '../pg-schema.ts'
import type { Grant } from './contract.ts'
import { endLockedGrant } from './end-grant.ts'
import { inWords } from './scopes.ts'
import { type GrantRow, grantsOf } from './store.ts'

export async function listGrants(auth: AgentService, { userId, generation }: Caller) {
  const { db, clock } = auth
  const rows = await grantsOf(db, { userId, generation, now: clock.now() })
  const clients = await clientsById(
    db,
    rows.map(({ clientId }) => clientId),
  )
  return { grants: rows.map((row) => item(auth, row, clients.get(row.clientId))) }
}

function item(auth: AgentService, grant: GrantRow, client: OAuth2Client | undefined): Grant {
  return {
    grantId: grant.grantId,
    clientId: grant.clientId,
    clientName: client?.name ?? grant.clientId,
    ...(client?.uri && { clientUri: client.uri }),
    redirectHost: redirectHost(grant.redirectUri),
    scopes: inWords(authorizationServerOf(auth), grant.scopes),
    resource: grant.resource,
    ...(grant.keyId && { keyId: grant.keyId }),
    createdAtMillis: grant.createdAt.getTime(),
    ...(grant.lastUsedAt && { lastUsedAtMillis: grant.lastUsedAt.getTime() }),
    expiresAtMillis: grant.expiresAt.getTime(),
  }
}

interface Revocation {
  caller: Caller
  grantId: string
  origin: RequestOrigin
}

/** Takes back what was allowed. What has ended before, was another's or never was is answered alike. */
export async function revokeGrant(
  { db, clock }: AgentService,
  { caller, grantId, origin }: Revocation,
) {
  const { userId } = caller
  const isEnded =
    isUuid(grantId) &&
    (await db.transaction(async (tx) => {
      await lockCaller(tx, caller)
      const grant = { grantId, userId }
      return endLockedGrant(tx, { grant, reason: 'owner', actor: userId, origin, now: clock.now() })
    }))
  if (!isEnded) throw new NotFoundError({ resource: 'grant' })
  return { grantId }
}
