import { allow, forbidSupport } from '@svc/auth/server'
import { route } from '@svc/core/contract'
import { findNotices, Page } from '../notices/find-notices.ts'
import { NewNotice, postNotice } from '../notices/post-notice.ts'
import { notices } from '../schema.ts'

export const listNotices = allow.public(
  route
    .get('/notices')
    .input({ query: Page })
    .handler(async (c) => {
      const { query } = await c.data()
      const { notices: found, page, limit, total } = await findNotices(c.db, notices, query)
      return c.paginated(found, page, limit, total)
    }),
)

export const createNotice = allow.may('notice:write')(
  route
    .post('/notices')
    .input({ body: NewNotice })
    // What is posted is under the name of the owner.
    .use([forbidSupport])
    .handler(async (c) => {
      const { body } = await c.data()
      return c.created(await postNotice(c, body))
    }),
)
