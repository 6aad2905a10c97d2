import type { Db, Tx } from '@svc/core'
import { and, eq, gt, isNull, sql } from 'drizzle-orm'
import { type KeyBinding } from '../caller/caller.ts'
import { lifeMillis } from './key-life.ts'
import { deviceKeys } from './schema.ts'
import { inState } from './store.ts'

interface Own {
  keyId: string
  userId: string
}

const window = { binding: deviceKeys.binding, expiresAt: deviceKeys.expiresAt }

/** Unbound → bound, which makes no life longer. Null when it was bound already: its window stays where it is. */
export async function bindKey(
  tx: Tx,
  { binding, until, ...key }: Own & { binding: KeyBinding; until: Date },
) {
  const [bound] = await tx
    .update(deviceKeys)
    .set({ binding, expiresAt: sql`least(${deviceKeys.expiresAt}, ${until})` })
    .where(and(inState(key, 'active'), isNull(deviceKeys.binding)))
    .returning(window)
  return bound ?? null
}

/** Bound → unbound, for who still signs with it: the key lives as if it had never been bound, where any of that is left. */
export async function unbindKey(
  tx: Tx,
  { binding, now, ...key }: Own & { binding: KeyBinding; now: Date },
) {
  const fullLife = sql`${deviceKeys.createdAt} + make_interval(secs => ${lifeMillis / 1000}::float8)`
  const [unbound] = await tx
    .update(deviceKeys)
    .set({
      binding: null,
      expiresAt: sql`case when ${fullLife} > ${now} then ${fullLife} else ${deviceKeys.expiresAt} end`,
    })
    .where(
      and(inState(key, 'active'), eq(deviceKeys.binding, binding), gt(deviceKeys.expiresAt, now)),
    )
    .returning(window)
  return unbound ?? null
}

/** What a key that still signs is tied to by now. */
export async function windowOf(db: Db, key: Own) {
  const [found] = await db.select(window).from(deviceKeys).where(inState(key, 'active'))
  return found ?? null
}
