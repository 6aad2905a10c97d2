import { sql } from 'drizzle-orm'

/**
 * Whether all grants stand that a grant came from, of the row with that name. It is a part of the statement that reads the
 * grant, so that none of them can end between two. One that was deleted stands no more.
 */
export const ancestorsStand = (grant: string) => `not exists (
  select from unnest(${grant}.ancestors) as above (id)
  left join svc_auth.oauth2_grants ancestor on ancestor.grant_id = above.id
  where ancestor.state is distinct from 'active')`

/** The same of a row of the table of grants. */
export const isBelowStanding = sql.raw(ancestorsStand('oauth2_grants'))
