import type { Db, Tx } from '@svc/core'
import { and, eq, inArray, lte, notInArray, sql } from 'drizzle-orm'
import type { TokenHash } from '../../crypto/crypto.ts'
import { inTransaction } from '../../in-transaction.ts'
import type { ClientAuthMethod, Declaring } from './client-keys.ts'
import type { ClientFacts } from './client-metadata.ts'
import { oauth2Clients } from './schema.ts'

type ClientRow = typeof oauth2Clients.$inferSelect

/** A client. One of the configuration has the form of a row, and is in no row. */
export type OAuth2Client = Omit<ClientRow, 'source'> & {
  source: ClientRow['source'] | 'configuration'
}

export async function findRow(
  db: Db,
  clientId: string,
  source: ClientRow['source'],
): Promise<ClientRow | null> {
  const { clientId: id, source: from } = oauth2Clients
  const [client] = await db
    .select()
    .from(oauth2Clients)
    .where(and(eq(id, clientId), eq(from, source)))
  return client ?? null
}

interface Registration extends ClientFacts {
  clientId: string
  authMethod: ClientAuthMethod
  secretHash: TokenHash | null
  declaredKeys: Declaring | null
  createdAt: Date
  expiresAt: Date
}

export async function insertRegistration(tx: Tx, registration: Registration) {
  await tx.insert(oauth2Clients).values({ ...registration, source: 'registration' })
}

interface Document extends ClientFacts {
  clientId: string
  authMethod: ClientAuthMethod
  secretHash: TokenHash | null
  now: Date
  expiresAt: Date
}

/** If two requests have read the same document at once, either is right. */
export async function keepDocument(
  db: Db,
  { clientId, now, ...read }: Document,
): Promise<ClientRow> {
  const [client] = await db
    .insert(oauth2Clients)
    .values({ ...read, clientId, source: 'document', createdAt: now })
    .onConflictDoUpdate({ target: oauth2Clients.clientId, set: read })
    .returning()
  // An upsert without a condition always returns its row.
  return client as ClientRow
}

interface Forgetting {
  readonly now: Date
  /** The ids of those that the configuration names. They have no grant before their first use. */
  readonly kept: string[]
}

/**
 * Locks some of those whose time is over: until they are deleted or unlocked, nothing can be
 * granted to them.
 */
async function lockExpired(tx: Tx, { now, kept }: Forgetting, most: number) {
  const rows = await tx
    .select({ clientId: oauth2Clients.clientId })
    .from(oauth2Clients)
    .where(
      and(lte(oauth2Clients.expiresAt, now), notInArray(oauth2Clients.clientId, kept), isUnused),
    )
    .limit(most)
    // A locked one is being granted something.
    .for('update', { skipLocked: true })
  return rows.map(({ clientId }) => clientId)
}

export async function deleteUnused(db: Db, clientIds: string[]) {
  await db.delete(oauth2Clients).where(and(inArray(oauth2Clients.clientId, clientIds), isUnused))
}

// Only the foreign keys of other folders are named, because these folders own their tables.
const isUnused = sql`
  not exists (select from svc_auth.oauth2_grants g where g.client_id = ${oauth2Clients.clientId})
  and not exists (select from svc_auth.oauth2_device_requests r where r.client_id = ${oauth2Clients.clientId})`

/** Clients as they are stored: for lists, no document is read again. */
export async function clientsById(db: Db, clientIds: string[]): Promise<Map<string, ClientRow>> {
  if (clientIds.length === 0) return new Map()
  const rows = await db
    .select()
    .from(oauth2Clients)
    .where(inArray(oauth2Clients.clientId, clientIds))
  return new Map(rows.map((row) => [row.clientId, row]))
}

/** What a client calls itself. */
export async function findClientName(db: Db, clientId: string): Promise<string> {
  return (await clientsById(db, [clientId])).get(clientId)?.name ?? clientId
}

/** Keeps the client from being deleted until this transaction ends. False if it already was. */
export async function holdClient(tx: Tx, clientId: string) {
  const held = await tx
    .select({ clientId: oauth2Clients.clientId })
    .from(oauth2Clients)
    .where(eq(oauth2Clients.clientId, clientId))
    .for('key share')
  return held.length === 1
}

// In a flood of registrations, as many as one statement handles easily.
const most = 5000

/**
 * Deletes the clients without a grant, once their time is over. It looks for a grant once more
 * after the lock: one that was made meanwhile would be deleted with its client.
 */
export async function forgetClients(db: Db, now: Date, kept: string[] = []) {
  let locked = most
  while (locked === most) {
    locked = await inTransaction(db, async (tx) => {
      const clientIds = await lockExpired(tx, { now, kept }, most)
      await deleteUnused(tx, clientIds)
      return clientIds.length
    })
  }
}
