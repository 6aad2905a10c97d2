import { requirePermissions } from '@svc/auth/server'
import { route } from '@svc/core/contract'
import { findNotices, Page } from '../notices/find-notices.ts'
import { NewNotice, postNotice } from '../notices/post-notice.ts'

export const listNotices = route
  .get('/notices')
  // Anyone may read the board.
  .skip(['auth'])
  .input({ query: Page })
  .handler(async (c) => {
    const { query } = await c.data()
    const { notices, page, limit, total } = await findNotices(c.db, query)
    return c.paginated(notices, page, limit, total)
  })

export const createNotice = route
  .post('/notices')
  .input({ body: NewNotice })
  .use([requirePermissions('notice:write')])
  .handler(async (c) => {
    const { body } = await c.data()
    return c.created(await postNotice(c, body))
  })
