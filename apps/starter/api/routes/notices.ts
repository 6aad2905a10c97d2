import { allow, forbidSupport } from '@svc/auth/server'
import { route } from '@svc/core/contract'
import { findNotices, Page } from '../notices/find-notices.ts'
import { NewNotice, postNotice } from '../notices/post-notice.ts'
import { notices } from '../schema.ts'

export const listNotices = allow.public(
  route
    .get('/notices')
    .input({ query: Page })
    .tool({
      title: 'Read the board',
      describe: 'Lists the notices of the board, the newest first.',
      // People read the board without signing in. An agent needs its user's permission.
      permission: 'notice:read',
    })
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
    .tool({
      title: 'Post a notice',
      describe: 'Posts a notice in the name of the user. Everyone can read it.',
    })
    // What is posted is under the name of the owner.
    .use([forbidSupport])
    .handler(async (c) => {
      const { body } = await c.data()
      return c.created(await postNotice(c, body))
    }),
)
