import { type Cursor, type Db, defineCursor, type Tx, t } from '@svc/core'
import { and, asc, desc, eq, gt, gte, inArray, isNotNull, lt, type SQL, sql } from 'drizzle-orm'
import { invitations, members, organizations } from '../schema.ts'

const named = (organizationId: string) => eq(organizations.organizationId, organizationId)

const columns = {
  organizationId: organizations.organizationId,
  name: organizations.name,
  slug: organizations.slug,
  state: organizations.state,
  createdAt: organizations.createdAt,
  closedAt: organizations.closedAt,
  purgeAt: organizations.purgeAt,
  isClosedByOperator: organizations.isClosedByOperator,
}

export interface OrganizationQuery {
  readonly name?: string | undefined
  readonly slug?: string | undefined
  readonly userId?: string | undefined
  readonly state?: 'open' | 'closed' | undefined
  readonly after?: string | undefined
  readonly limit: number
}

// As the indexes have them: a search by a beginning reads no other rows.
const nameText = sql<string>`lower(${organizations.name}) collate "C"`
const slugText = sql<string>`${organizations.slug} collate "C"`

export async function organizationPage(db: Db, query: OrganizationQuery) {
  const { userId, state, after, limit } = query
  const order = orderFor(query)
  const own =
    userId === undefined
      ? undefined
      : inArray(
          organizations.organizationId,
          db.select({ id: members.organizationId }).from(members).where(eq(members.userId, userId)),
        )
  const rows = await db
    .select({ ...columns, place: order.place })
    .from(organizations)
    .where(
      and(
        beginsWith(nameText, query.name === undefined ? undefined : sql`lower(${query.name})`),
        beginsWith(slugText, query.slug?.toLowerCase()),
        own,
        state === undefined ? undefined : eq(organizations.state, state),
        order.behind(order.cursor.read(after)),
      ),
    )
    .orderBy(...order.by)
    .limit(limit + 1)
  const { items, ...next } = order.cursor.page(rows, limit, ({ place, organizationId }) => ({
    place,
    organizationId,
  }))
  return { items: items.map(({ place: _, ...row }) => row), ...next }
}

/** Sorts after every character that can follow in a text. */
const highest = '\u{10FFFF}'

function beginsWith(text: SQL, start: SQL | string | undefined) {
  if (start === undefined) return undefined
  return and(gte(text, sql`${start}::text`), lt(text, sql`${start}::text || ${highest}`))
}

interface Place {
  place: string
  organizationId: string
}

interface Order {
  cursor: Cursor<Place>
  /** A row's position in the order, as text. */
  place: SQL<string>
  by: SQL[]
  behind(last: Place | undefined): SQL | undefined
}

const uuid = t.String({ format: 'uuid' })
const cursorOf = (order: string, pattern = '') =>
  defineCursor(
    `organizations by ${order}`,
    t.Object({ place: t.String({ pattern }), organizationId: uuid }),
  )

const { organizationId: lastId } = organizations

const byName: Order = {
  cursor: cursorOf('name'),
  place: nameText,
  by: [asc(nameText), asc(lastId)],
  behind: (last) =>
    last &&
    sql`(${nameText}, ${lastId}) > (${last.place}::text collate "C", ${last.organizationId}::uuid)`,
}

const bySlug: Order = {
  cursor: cursorOf('slug'),
  place: slugText,
  by: [asc(slugText)],
  behind: (last) => last && gt(slugText, sql`${last.place}::text`),
}

const newestFirst: Order = {
  cursor: cursorOf('age', /^\d{1,12}(?:\.\d{1,6})?$/.source),
  place: sql<string>`extract(epoch from ${organizations.createdAt})::text`,
  by: [desc(organizations.createdAt), desc(lastId)],
  behind: (last) =>
    last &&
    sql`(${organizations.createdAt}, ${lastId}) < (to_timestamp(${last.place}::numeric), ${last.organizationId}::uuid)`,
}

function orderFor({ name, slug }: OrganizationQuery) {
  if (name !== undefined) return byName
  return slug === undefined ? newestFirst : bySlug
}

/** Null if there is none of this id. */
export async function findAny(db: Db, organizationId: string, now: Date) {
  // Written out: in a statement on one table, Drizzle leaves out a column's table.
  const counted = (table: typeof members | typeof invitations, which: SQL) =>
    sql<number>`(select count(*)::int from ${table}
      where organization_id = organizations.organizations.organization_id and ${which})`
  const [found] = await db
    .select({
      ...columns,
      policies: organizations.policies,
      memberCount: counted(members, sql`true`),
      ownerCount: counted(members, sql`'owner' = any (roles)`),
      invitationCount: counted(
        invitations,
        sql`state = 'pending' and expires_at > ${now.toISOString()}`,
      ),
    })
    .from(organizations)
    .where(named(organizationId))
  return found ?? null
}

/** An organization in any state, which no other transaction changes until this one ends. */
export async function lockAny(tx: Tx, organizationId: string) {
  const [found] = await tx.select().from(organizations).where(named(organizationId)).for('update')
  return found ?? null
}

/** closed → open, also if an operator has closed it. False if it is open, or about to be deleted. */
export async function reopenAny(tx: Tx, organizationId: string, now: Date) {
  const opened = await tx
    .update(organizations)
    .set({ state: 'open', closedAt: null, purgeAt: null, isClosedByOperator: false })
    .where(
      and(named(organizationId), eq(organizations.state, 'closed'), gt(organizations.purgeAt, now)),
    )
    .returning({ organizationId: organizations.organizationId })
  return opened.length === 1
}

/** False if it has none. */
export async function clearPolicies(tx: Tx, organizationId: string) {
  const cleared = await tx
    .update(organizations)
    .set({ policies: null })
    .where(and(named(organizationId), isNotNull(organizations.policies)))
    .returning({ organizationId: organizations.organizationId })
  return cleared.length === 1
}
