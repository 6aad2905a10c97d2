import type { Tx } from '@svc/core'
import { eq } from 'drizzle-orm'
import { oauth2Clients } from './schema.ts'

/** Until this transaction ends, nobody forgets the client. False when somebody has. */
export async function holdClient(tx: Tx, clientId: string) {
  const held = await tx
    .select({ clientId: oauth2Clients.clientId })
    .from(oauth2Clients)
    .where(eq(oauth2Clients.clientId, clientId))
    .for('key share')
  return held.length === 1
}
