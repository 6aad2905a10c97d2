import { type CursorPage, type Db, defineCursor, t } from '@svc/core'
import { desc, sql } from 'drizzle-orm'
import { oauth2Clients } from './schema.ts'

export interface ClientQuery {
  /** The `next` of the previous page. */
  after?: string | undefined
  limit?: number | undefined
}

const cursor = defineCursor(
  'oauth2 clients, newest first',
  t.Object({ at: t.String({ pattern: '^\\d{1,12}(\\.\\d{1,6})?$' }), clientId: t.String() }),
)

/** The statement for this many clients. */
export function selectClients(db: Db, { after, limit = 20 }: ClientQuery) {
  const { clientId, name, uri, source, redirectUris, createdAt } = oauth2Clients
  const last = cursor.read(after)
  const at = sql<string>`extract(epoch from ${createdAt})::text`
  return db
    .select({ clientId, name, uri, source, redirectUris, createdAt, at })
    .from(oauth2Clients)
    .where(
      last &&
        sql`(${createdAt}, ${clientId}) < (to_timestamp(${last.at}::numeric), ${last.clientId})`,
    )
    .orderBy(desc(createdAt), desc(clientId))
    .limit(limit)
}

type ClientRow = Awaited<ReturnType<typeof selectClients>>[number]

/** Clients as they are stored, the newest first: no document is read again. */
export async function readClientPage(
  db: Db,
  { after, limit = 20 }: ClientQuery,
): Promise<CursorPage<ClientRow>> {
  const rows = await selectClients(db, { after, limit: limit + 1 })
  return cursor.page(rows, limit, ({ at, clientId }) => ({ at, clientId }))
}
