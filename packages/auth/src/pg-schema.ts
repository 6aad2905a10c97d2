import { pgSchema, timestamp } from 'drizzle-orm/pg-core'

/** Where every table of the service is: an application's own tables cannot collide with them. */
export const svcAuth = pgSchema('svc_auth')

export const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3 })
