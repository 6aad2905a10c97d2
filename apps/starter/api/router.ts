import { createAuthRouter } from '@svc/auth/server'
import { mailboxRouter } from '@svc/notification'
import { contracts } from './contracts.ts'
import { mcp } from './routes/mcp.ts'
import { getMe, mailSignOutLink } from './routes/me.ts'
import { createNotice, listNotices } from './routes/notices.ts'
import { createOrgNotice, listOrgNotices } from './routes/org-notices.ts'
import type * as schema from './schema.ts'

/**
 * `c.db.query` knows these tables. The declaration is here because the web app reads only the
 * router’s types.
 */
declare module '@svc/core' {
  interface AppDatabase {
    schema: typeof schema
  }
}

export const appRouter = createAuthRouter({
  routes: {
    getMe,
    mailSignOutLink,
    listNotices,
    createNotice,
    listOrgNotices,
    createOrgNotice,
    mcp,
  },
  contracts,
}).packages([mailboxRouter])
export type AppRouter = typeof appRouter
