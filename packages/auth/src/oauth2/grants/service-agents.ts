import type { Db } from '@svc/core'
import { and, desc, inArray, isNull, ne } from 'drizzle-orm'
import { redirectHost } from '../clients/clients.ts'
import { oauth2Grants } from './schema.ts'

/** The program of another party that acts with an account of programs. */
export interface ServiceAgent {
  readonly clientId: string
  /** Where its answers go: a host, or the scheme of an app with its colon. */
  readonly redirectHost: string
  readonly scopes: readonly string[]
  readonly lastUsedAt: Date | null
}

/** By the ids of the accounts. One whose grant was revoked has none. */
export async function agentsOfServices(
  db: Db,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, ServiceAgent>> {
  const { userId, clientId, redirectUri, scopes, lastUsedAt, createdAt, state, ancestors } =
    oauth2Grants
  const rows = await db
    .selectDistinctOn([userId], { userId, clientId, redirectUri, scopes, lastUsedAt })
    .from(oauth2Grants)
    .where(and(inArray(userId, [...userIds]), ne(state, 'revoked'), isNull(ancestors)))
    .orderBy(userId, desc(createdAt))
  return new Map(
    rows.map(({ userId: id, redirectUri: uri, ...agent }) => [
      id,
      { ...agent, redirectHost: redirectHost(uri) },
    ]),
  )
}
