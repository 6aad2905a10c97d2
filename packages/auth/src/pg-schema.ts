import { pgSchema, timestamp } from 'drizzle-orm/pg-core'

/**
 * The schema of all tables of the service, so that an application's own tables can't collide with
 * them.
 */
export const svcAuth = pgSchema('svc_auth')

export const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3 })

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/**
 * Whether a column of UUIDs can be compared with it. PostgreSQL throws for any other text, which
 * should just not be found.
 */
export function isUuid(text: string) {
  return uuid.test(text)
}
