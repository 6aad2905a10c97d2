import type { CursorPage, Db } from '@svc/core'
import { sql } from 'drizzle-orm'
import type { Needs } from '../../auth.ts'
import { type ClientQuery, placeOfCode, readClientPage, redirectHost } from '../clients/clients.ts'
import { oauth2Grants } from './schema.ts'

/** What one account has allowed an agent. */
interface AgentGrant {
  grantId: string
  userId: string
  createdAt: string
  lastUsedAt?: string
}

/** A program of another party, as operators see it. */
export interface Agent {
  clientId: string
  name: string
  uri?: string
  redirectHosts: string[]
  source: 'registration' | 'document'
  createdAt: string
  grants: number
  hasMoreGrants: boolean
  someGrants: AgentGrant[]
}

/** A client that everyone uses must not make a page slow. */
const mostCounted = 1000
/** Of those that are counted, so many are shown. */
const mostShown = 10

/** Every client, the newest first, with how many grants to it are active. */
export async function readAgentPage(
  { db, clock }: Needs<'db' | 'clock'>,
  query: ClientQuery,
): Promise<CursorPage<Agent>> {
  const { items, ...next } = await readClientPage(db, query)
  const clientIds = items.map(({ clientId }) => clientId)
  const found = await findActiveGrants(db, clientIds, clock.now())
  const agents = items.map(({ clientId, name, uri, redirectUris, source, createdAt }) => {
    const { grants, shown } = found.get(clientId) ?? { grants: 0, shown: [] }
    return {
      clientId,
      name,
      ...(uri !== null && { uri }),
      redirectHosts: hostsOf({ clientId, source, redirectUris }),
      source,
      createdAt: createdAt.toISOString(),
      grants: Math.min(grants, mostCounted),
      hasMoreGrants: grants > mostCounted,
      someGrants: shown.map(agentGrant),
    }
  })
  return { items: agents, ...next }
}

interface Found {
  client: string
  grants: number
  shown: Shown[]
}

/** One without a redirect URI is known by the host of its document, if it has a document. */
function hostsOf({ clientId, source, redirectUris }: Known) {
  const uris = redirectUris.length > 0 ? redirectUris : [placeOfCode({ clientId, source })]
  return [...new Set(uris.map(redirectHost))]
}

interface Known {
  clientId: string
  source: 'registration' | 'document'
  redirectUris: readonly string[]
}

interface Shown {
  grantId: string
  userId: string
  createdAt: string
  lastUsedAt: string | null
}

const agentGrant = ({ lastUsedAt, createdAt, ...grant }: Shown): AgentGrant => ({
  ...grant,
  createdAt: new Date(createdAt).toISOString(),
  ...(lastUsedAt !== null && { lastUsedAt: new Date(lastUsedAt).toISOString() }),
})

/** At most one more than `mostCounted` of each, and the newest of these. */
async function findActiveGrants(db: Db, clientIds: readonly string[], now: Date) {
  if (clientIds.length === 0) return new Map<string, Found>()
  const { rows } = await db.execute<Found & Record<string, unknown>>(sql`
    select asked.client, counted.grants, counted.shown
    from unnest(${sql.param(clientIds)}::text[]) as asked (client)
    cross join lateral (
      select count(*)::int as grants,
        coalesce(json_agg(json_build_object('grantId', grant_id, 'userId', user_id,
          'createdAt', created_at, 'lastUsedAt', last_used_at) order by place)
          filter (where place <= ${mostShown}), '[]') as shown
      from (
        select *, row_number() over (order by created_at desc, grant_id) as place
        from (
          select grant_id, user_id, created_at, last_used_at from ${oauth2Grants} g
          where g.client_id = asked.client and g.state = 'active' and g.expires_at > ${now}
          limit ${mostCounted + 1}
        ) found
      ) placed
    ) counted`)
  return new Map(rows.map((row) => [row.client, row]))
}
