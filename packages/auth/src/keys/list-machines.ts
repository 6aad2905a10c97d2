import { type CursorPage, type Db, defineCursor, t } from '@svc/core'
import { and, count, desc, inArray, max, sql } from 'drizzle-orm'
import { deviceKeys } from './schema.ts'

interface MachineQuery {
  /** The `next` of the previous page. */
  after?: string | undefined
  limit?: number | undefined
}

const cursor = defineCursor(
  'machine keys, newest first',
  t.Object({ at: t.String({ pattern: '^\\d{1,12}(\\.\\d{1,6})?$' }), keyId: t.String() }),
)

/** As the index of machines has them, so that a page costs the same among a million devices. */
const isLiveMachine = sql`${deviceKeys.kind} = 'machine' and ${deviceKeys.state} = 'active'`

/** The statement for this many keys of machines. */
export function selectMachines(db: Db, { after, limit = 20 }: MachineQuery) {
  const { keyId, createdAt } = deviceKeys
  const last = cursor.read(after)
  return db
    .select({
      keyId,
      deviceName: deviceKeys.deviceName,
      permissions: deviceKeys.permissions,
      createdAt,
      lastUsedAt: deviceKeys.lastUsedAt,
      expiresAt: deviceKeys.expiresAt,
      // The key of an account that is gone is not active.
      userId: sql<string>`${deviceKeys.userId}`,
      at: sql<string>`extract(epoch from ${createdAt})::text`,
    })
    .from(deviceKeys)
    .where(
      and(
        isLiveMachine,
        last && sql`(${createdAt}, ${keyId}) < (to_timestamp(${last.at}::numeric), ${last.keyId})`,
      ),
    )
    .orderBy(desc(createdAt), desc(keyId))
    .limit(limit)
}

export type MachineRow = Awaited<ReturnType<typeof selectMachines>>[number]

/** How many live keys accounts of programs have, and when the last of them was used. */
export async function machinesOfServices(db: Db, userIds: readonly string[]) {
  const { userId, lastUsedAt } = deviceKeys
  const rows = await db
    .select({ userId, keys: count(), lastUsedAt: max(lastUsedAt) })
    .from(deviceKeys)
    .where(and(inArray(userId, [...userIds]), isLiveMachine))
    .groupBy(userId)
  return new Map(rows.map(({ userId: id, ...use }) => [id, use] as const))
}

/** The keys of programs that are not revoked, of all accounts, the newest first. */
export async function readMachinePage(
  db: Db,
  { after, limit = 20 }: MachineQuery,
): Promise<CursorPage<MachineRow>> {
  const rows = await selectMachines(db, { after, limit: limit + 1 })
  return cursor.page(rows, limit, ({ at, keyId }) => ({ at, keyId }))
}
