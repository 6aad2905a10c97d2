import { forbidSupport } from '@svc/auth/server'
import { route, t } from '@svc/core/contract'
import { getOrganization, inOrg, member } from '@svc/organizations/server'
import { orgNoticePosted } from '../events.ts'
import { findNotices, Page } from '../notices/find-notices.ts'
import { NewNotice, noticeBy } from '../notices/post-notice.ts'
import { orgNotices } from '../schema.ts'

const params = t.Object({ org: t.String({ format: 'uuid' }) })

/** Of this organization only: `c.db` is in the organization of the path. */
export const listOrgNotices = member()(
  route
    .get('/orgs/:org/notices')
    .input({ params, query: Page })
    .handler(async (c) => {
      const { query } = await c.data()
      const { notices, page, limit, total } = await findNotices(c.db, orgNotices, query)
      return c.paginated(notices, page, limit, total)
    }),
)

export const createOrgNotice = inOrg('board:write')(
  route
    .post('/orgs/:org/notices')
    .input({ params, body: NewNotice })
    .use([forbidSupport])
    .handler(async (c) => {
      const { body } = await c.data()
      const notice = noticeBy(c, body)
      await c.db.transaction(async (tx) => {
        await tx.insert(orgNotices).values(notice)
        await orgNoticePosted.of(getOrganization(c).id).emit(notice)
      })
      return c.created(notice)
    }),
)
