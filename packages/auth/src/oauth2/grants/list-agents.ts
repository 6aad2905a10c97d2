import type { CursorPage, Db } from '@svc/core'
import { sql } from 'drizzle-orm'
import type { Needs } from '../../auth.ts'
import { type ClientQuery, readClientPage, redirectHost } from '../clients/clients.ts'
import { oauth2Grants } from './schema.ts'

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
}

/** A client that everyone uses must not make a page slow. */
const mostCounted = 1000

/** Every client, the newest first, with how many grants to it are active. */
export async function readAgentPage(
  { db, clock }: Needs<'db' | 'clock'>,
  query: ClientQuery,
): Promise<CursorPage<Agent>> {
  const { items, ...next } = await readClientPage(db, query)
  const clientIds = items.map(({ clientId }) => clientId)
  const counts = await countActiveGrants(db, clientIds, clock.now())
  const agents = items.map(({ clientId, name, uri, redirectUris, source, createdAt }) => {
    const grants = counts.get(clientId) ?? 0
    return {
      clientId,
      name,
      ...(uri !== null && { uri }),
      redirectHosts: [...new Set(redirectUris.map(redirectHost))],
      source,
      createdAt: createdAt.toISOString(),
      grants: Math.min(grants, mostCounted),
      hasMoreGrants: grants > mostCounted,
    }
  })
  return { items: agents, ...next }
}

/** At most one more than `mostCounted` of each. */
async function countActiveGrants(db: Db, clientIds: readonly string[], now: Date) {
  if (clientIds.length === 0) return new Map<string, number>()
  const { rows } = await db.execute<{ client: string; grants: number }>(sql`
    select asked.client, (
      select count(*)::int from (
        select from ${oauth2Grants} g
        where g.client_id = asked.client and g.state = 'active' and g.expires_at > ${now}
        limit ${mostCounted + 1}
      ) found
    ) as grants
    from unnest(${sql.param(clientIds)}::text[]) as asked (client)`)
  return new Map(rows.map(({ client, grants }) => [client, grants]))
}
