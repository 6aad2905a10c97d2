import { authenticate, authRouter } from '@svc/auth/server'
import { defineRouter } from '@svc/core/contract'
import { mailboxRouter } from '@svc/notification'
import { mcp } from './routes/mcp.ts'
import { getMe, mailSignOutLink } from './routes/me.ts'
import { createNotice, listNotices } from './routes/notices.ts'
import type * as schema from './schema.ts'

/** `c.db.query` knows these tables. It stands here because the web app reads the router’s types alone. */
declare module '@svc/core' {
  interface AppDatabase {
    schema: typeof schema
  }
}

export const appRouter = defineRouter({ getMe, mailSignOutLink, listNotices, createNotice, mcp })
  .packages([authRouter, mailboxRouter])
  .use([authenticate])
export type AppRouter = typeof appRouter
