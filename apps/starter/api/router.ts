import { authenticate, authRouter } from '@svc/auth/server'
import { defineRouter } from '@svc/core/contract'
import { mailboxRouter } from '@svc/notification'
import { mcp } from './routes/mcp.ts'
import { getMe, mailSignOutLink } from './routes/me.ts'
import { createNotice, listNotices } from './routes/notices.ts'

export const appRouter = defineRouter({ getMe, mailSignOutLink, listNotices, createNotice, mcp })
  .packages([authRouter, mailboxRouter])
  .use([authenticate])
export type AppRouter = typeof appRouter
