import { type Db, type Settings, settingsOf, withSettings } from '@svc/core'
import { is } from 'drizzle-orm'
import { PgTransaction } from 'drizzle-orm/pg-core'
import { isUuid } from '../uuid.ts'

/** The name of the setting that the policies of tenant tables compare with. */
const setting = 'svc.organization'

/** The settings of a request in an organization: a middleware puts them into `c.databaseSettings`. */
export function organizationSettings(organizationId: string): Settings {
  if (!isUuid(organizationId)) throw new Error('The id of an organization is a UUID.')
  return { [setting]: organizationId.toLowerCase() }
}

/**
 * The same database, in an organization: of tenant tables, its statements see and write the rows of
 * this organization alone. Use it in scheduled jobs. In a route of an organization, `c.db` is that already, and so is
 * the `db` of the jobs that it enqueues.
 */
export function inOrganization(db: Db, organizationId: string): Db {
  const settings = organizationSettings(organizationId)
  const current = settingsOf(db)?.[setting]
  if (current !== undefined && current !== settings[setting]) {
    throw new Error(
      `This database is in the organization ${current}, so it can't enter another one. Use the database of the server: currentDb().`,
    )
  }
  if (current === undefined && is(db, PgTransaction)) {
    throw new Error(
      'This transaction was opened outside an organization. Open it inside: inOrganization(db, id).transaction(…).',
    )
  }
  return withSettings(db, settings)
}
