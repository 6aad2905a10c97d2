import type { Db } from '@svc/core'
import { type OutputOf, t } from '@svc/core/contract'
import { desc } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { notices, orgNotices } from '../schema.ts'

/** Which part of a list: 20 at a time unless asked otherwise. */
export const Page = t.Object({
  page: t.Optional(t.Integer({ minimum: 1, maximum: 1_000_000 })),
  limit: t.Optional(t.Integer({ minimum: 1, maximum: 100 })),
})

type Board = typeof notices | typeof orgNotices

/** A page of a board, the newest first. */
export async function findNotices(
  db: Db,
  board: Board,
  { page = 1, limit = 20 }: OutputOf<typeof Page>,
) {
  const { id, text, author, createdAt } = board
  const [newest, total] = await Promise.all([
    db
      .select({ id, text, author, createdAt })
      .from(board as PgTable)
      .orderBy(desc(createdAt), desc(id))
      .limit(limit)
      .offset((page - 1) * limit),
    db.$count(board),
  ])
  return { notices: newest, page, limit, total }
}
