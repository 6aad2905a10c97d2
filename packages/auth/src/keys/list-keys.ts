import type { Needs } from '../auth.ts'
import { keyItem } from './key-item.ts'
import { listOf } from './store.ts'

export async function listKeys(
  { db, clock }: Needs<'db' | 'clock'>,
  { userId, includeRevoked = false }: { userId: string; includeRevoked?: boolean | undefined },
) {
  const now = clock.now()
  const rows = await listOf(db, userId, { includeRevoked })
  return { keys: rows.map((row) => keyItem(row, now)) }
}
