import type { Db } from '@svc/core'
import { isIssued, isOpened, type Presented } from './presented.ts'
import { mailedLinks } from './schema.ts'

/** Changes nothing. */
export async function findIssued(db: Db, presented: Presented) {
  const [link] = await db.select().from(mailedLinks).where(isIssued(presented))
  return link ?? null
}

/** Changes nothing. */
export async function findOpened(db: Db, presented: Presented) {
  const [link] = await db.select().from(mailedLinks).where(isOpened(presented))
  return link ?? null
}
