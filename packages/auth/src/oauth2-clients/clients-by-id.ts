import type { Db } from '@svc/core'
import { inArray } from 'drizzle-orm'
import type { OAuth2Client } from './find-client.ts'
import { oauth2Clients } from './schema.ts'

/** Clients as they are kept: for lists, nothing is read anew. */
export async function clientsById(db: Db, clientIds: string[]): Promise<Map<string, OAuth2Client>> {
  if (clientIds.length === 0) return new Map()
  const rows = await db
    .select()
    .from(oauth2Clients)
    .where(inArray(oauth2Clients.clientId, clientIds))
  return new Map(rows.map((row) => [row.clientId, row]))
}
