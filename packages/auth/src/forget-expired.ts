import { defineJob } from '@svc/core'
import { authOn } from './auth.ts'

/** Sweeps what has expired and can have no effect any more. */
export const forgetExpired = defineJob('auth.forget-expired')
  .cron('17 * * * *')
  .handler((_input, { db, clock }) => authOn(db).parts.sweep(db, clock.now()))
