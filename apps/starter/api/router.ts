import { defineRouter } from '@svc/core/contract'
import { createNotice, listNotices } from './routes/notices.ts'

export const appRouter = defineRouter({ listNotices, createNotice })
export type AppRouter = typeof appRouter
