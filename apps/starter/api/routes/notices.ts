import { randomUUID } from 'node:crypto'
import { getUser, requirePermissions } from '@svc/auth/server'
import { route, t } from '@svc/core/contract'
import { desc } from 'drizzle-orm'
import { accountName } from '../account-name.ts'
import { noticePosted } from '../events.ts'
import { notices } from '../schema.ts'

export const listNotices = route
  .get('/notices')
  // Anyone may read the board.
  .skip(['auth'])
  .input({
    query: t.Object({
      page: t.Optional(t.Integer({ minimum: 1, maximum: 1_000_000 })),
      limit: t.Optional(t.Integer({ minimum: 1, maximum: 100 })),
    }),
  })
  .handler(async (c) => {
    const { query } = await c.data()
    const { page = 1, limit = 20 } = query
    const [newest, total] = await Promise.all([
      c.db
        .select()
        .from(notices)
        .orderBy(desc(notices.createdAt), desc(notices.id))
        .limit(limit)
        .offset((page - 1) * limit),
      c.db.$count(notices),
    ])
    return c.paginated(newest, page, limit, total)
  })

export const createNotice = route
  .post('/notices')
  .input({ body: t.Object({ text: t.String({ minLength: 1, maxLength: 500 }) }) })
  .use([requirePermissions('notice:write')])
  .handler(async (c) => {
    const { body } = await c.data()
    const notice = {
      id: randomUUID(),
      text: body.text,
      author: accountName(getUser(c)),
      createdAt: c.clock.now(),
    }
    await c.db.transaction(async (tx) => {
      await tx.insert(notices).values(notice)
      // Delivered after the commit; a rollback drops it.
      await noticePosted.emit(notice)
    })
    return c.created(notice)
  })
