import type { Db } from '@svc/core'
import { type OutputOf, t } from '@svc/core/contract'
import { desc } from 'drizzle-orm'
import { notices } from '../schema.ts'

/** Which part of a list: 20 at a time unless asked otherwise. */
export const Page = t.Object({
  page: t.Optional(t.Integer({ minimum: 1, maximum: 1_000_000 })),
  limit: t.Optional(t.Integer({ minimum: 1, maximum: 100 })),
})

/** A page of the board, the newest first. */
export async function findNotices(db: Db, { page = 1, limit = 20 }: OutputOf<typeof Page>) {
  const [newest, total] = await Promise.all([
    db
      .select()
      .from(notices)
      .orderBy(desc(notices.createdAt), desc(notices.id))
      .limit(limit)
      .offset((page - 1) * limit),
    db.$count(notices),
  ])
  return { notices: newest, page, limit, total }
}
