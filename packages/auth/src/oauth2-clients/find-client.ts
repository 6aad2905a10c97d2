import { eq } from 'drizzle-orm'
import type { Auth } from '../auth.ts'
import { oauth2Clients } from './schema.ts'

export type OAuth2Client = typeof oauth2Clients.$inferSelect

/** A client by its id; null when there is none, or its document says nothing that can be used. */
export async function findClient(
  { db }: Auth,
  clientId: string,
  _address: string | null,
): Promise<OAuth2Client | null> {
  const [client] = await db.select().from(oauth2Clients).where(eq(oauth2Clients.clientId, clientId))
  return client ?? null
}
