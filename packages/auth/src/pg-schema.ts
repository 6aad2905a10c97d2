import { pgSchema, timestamp } from 'drizzle-orm/pg-core'

/** Where every table of the service is: an application's own tables cannot collide with them. */
export const svcAuth = pgSchema('svc_auth')

export const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3 })

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Whether a column of UUIDs can be asked for it: any other text is an error there, and should be an absence. */
export function isUuid(text: string) {
  return uuid.test(text)
}
