import { type Cursor, type CursorPage, type Db, defineCursor, t } from '@svc/core'
import { and, asc, desc, eq, gt, gte, lt, ne, or, type SQL, sql } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/pg-core'
import { isUuid } from '../pg-schema.ts'
import { readMoment } from '../read-moment.ts'
import { rolesOfUser, type ShownRole } from './account-roles.ts'
import { type AccountStatus, accountRoles, profiles, users } from './schema.ts'

/** Which accounts: those that match all of these. */
export interface UserQuery {
  /** The user id, or the public one. */
  id?: string | undefined
  /** What the address begins with. */
  email?: string | undefined
  /** What the number begins with. */
  phone?: string | undefined
  /** What the username begins with. */
  username?: string | undefined
  /** What the display name begins with, in any case. */
  name?: string | undefined
  /** One of its roles. */
  role?: string | undefined
  /** Deleted accounts are listed by their status alone. */
  status?: AccountStatus | undefined
  createdFrom?: string | undefined
  createdTo?: string | undefined
  lastLoginFrom?: string | undefined
  lastLoginTo?: string | undefined
  /** The `next` of the previous page. */
  after?: string | undefined
  /** How many are on a page: 20 unless set, 100 at most. */
  limit?: number | undefined
}

const itemColumns = {
  userId: users.userId,
  publicId: users.publicId,
  email: users.email,
  emailVerifiedAt: users.emailVerifiedAt,
  phone: users.phone,
  phoneVerifiedAt: users.phoneVerifiedAt,
  username: users.username,
  displayName: profiles.displayName,
  held: rolesOfUser,
  status: users.status,
  secondFactorSince: users.secondFactorSince,
  createdAt: users.createdAt,
  lastLoginAt: users.lastLoginAt,
}

/** The columns of `users` that the row of a further role has too. */
type Listed = Pick<typeof users | typeof accountRoles, 'createdAt' | 'userId'>

/**
 * The statement for this many accounts. An account that is added or removed doesn't move another
 * one to another page.
 */
export function selectUsers(db: Db, query: UserQuery) {
  const { role, limit = 20 } = query
  if (role === undefined) return page(db, query, users).limit(limit)
  // Each of the two tables has an index in the order of the page.
  const first = page(db, query, users, eq(users.role, role)).limit(limit)
  const others = page(db, query, accountRoles, eq(accountRoles.role, role)).limit(limit)
  return unionAll(first, others)
    .orderBy(...orderFor(query, users).again)
    .limit(limit)
}

function page(db: Db, query: UserQuery, listed: typeof users | typeof accountRoles, which?: SQL) {
  const order = orderFor(query, listed)
  // Of the table that gives the order.
  const { createdAt, userId } = listed
  const all = db
    .select({ ...itemColumns, createdAt, userId, place: order.place.as('place') })
    .from(users)
    .innerJoin(profiles, eq(profiles.userId, users.userId))
    .$dynamic()
  const joined =
    listed === users ? all : all.innerJoin(accountRoles, eq(accountRoles.userId, users.userId))
  return joined
    .where(and(which, ...conditions(query, listed), order.after(order.cursor.read(query.after))))
    .orderBy(...order.by)
}

export async function readUserPage(db: Db, query: UserQuery): Promise<CursorPage<UserRow>> {
  const { limit = 20 } = query
  const rows = await selectUsers(db, { ...query, limit: limit + 1 })
  return orderFor(query, users).cursor.page(rows, limit, ({ place, userId }) => ({ place, userId }))
}

/** An account in a list. */
export interface UserRow {
  userId: string
  publicId: string
  email: string | null
  emailVerifiedAt: Date | null
  phone: string | null
  phoneVerifiedAt: Date | null
  username: string | null
  displayName: string | null
  /** Its roles, in no particular order. */
  held: ShownRole[]
  status: AccountStatus
  secondFactorSince: Date | null
  createdAt: Date
  lastLoginAt: Date | null
}

const bytes = (column: unknown) => sql<string>`${column} collate "C"`

const texts = {
  email: bytes(users.email),
  phone: bytes(users.phone),
  username: bytes(users.username),
  name: bytes(sql`lower(${profiles.displayName})`),
}

function conditions(query: UserQuery, { createdAt }: Listed): (SQL | undefined)[] {
  const { id, email, phone, username, name, status } = query
  return [
    id === undefined ? undefined : byId(id),
    beginsWith(texts.email, email?.normalize('NFKC').toLowerCase()),
    beginsWith(texts.phone, phone?.replaceAll(/[\s().-]/g, '')),
    beginsWith(texts.username, username?.toLowerCase()),
    // PostgreSQL converts it to lower case, because the index follows the database's rules.
    beginsWith(texts.name, name === undefined ? undefined : sql`lower(${name})`),
    status === undefined ? ne(users.status, 'deleted') : eq(users.status, status),
    ...within(createdAt, query, 'created'),
    ...within(users.lastLoginAt, query, 'lastLogin'),
  ]
}

function byId(id: string) {
  return isUuid(id) ? or(eq(users.userId, id), eq(users.publicId, id)) : sql`false`
}

/** Before PostgreSQL 18, `starts_with` uses no index if the text is a parameter. */
function beginsWith(text: SQL, start: SQL | string | undefined) {
  if (start === undefined) return undefined
  return and(gte(text, sql`${start}::text`), lt(text, sql`${start}::text || ${highest}`))
}

/** Sorts after every character that can follow in a text. */
const highest = '\u{10FFFF}'

type Moments = 'created' | 'lastLogin'
type Moment = Listed['createdAt'] | typeof users.lastLoginAt

function within(column: Moment, query: UserQuery, name: Moments) {
  const [from, to] = [query[`${name}From`], query[`${name}To`]]
  return [
    from === undefined ? undefined : gte(column, readMoment(from, `query.${name}From`)),
    to === undefined ? undefined : lt(column, readMoment(to, `query.${name}To`)),
  ]
}

interface Place {
  place: string
  userId: string
}

interface Order {
  cursor: Cursor<Place>
  /** A row's position in the order, as text. */
  place: SQL<string>
  by: SQL[]
  /** The same for rows that were read in that order. */
  again: SQL[]
  after(last: Place | undefined): SQL | undefined
}

/**
 * The order depends on the query: an index has its rows in that order, so that a page costs the
 * same with a million accounts.
 */
function orderFor(query: UserQuery, { createdAt, userId }: Listed): Order {
  const wanted = (['email', 'phone', 'username', 'name'] as const).find(
    (name) => query[name] !== undefined,
  )
  if (wanted === 'name') return byName
  if (wanted) return byText(wanted)
  const isByLogin = query.lastLoginFrom !== undefined || query.lastLoginTo !== undefined
  return isByLogin
    ? newestFirst('lastLoginAt', users.lastLoginAt, users.userId)
    : newestFirst('createdAt', createdAt, userId)
}

const seconds = /^\d{1,12}(?:\.\d{1,6})?$/.source

const uuid = t.String({ pattern: '^[\\da-f]{8}(?:-[\\da-f]{4}){3}-[\\da-f]{12}$' })

const cursorOf = (order: string, pattern = '') =>
  defineCursor(`users by ${order}`, t.Object({ place: t.String({ pattern }), userId: uuid }))

const cursors = {
  email: cursorOf('email'),
  phone: cursorOf('phone'),
  username: cursorOf('username'),
  name: cursorOf('name'),
  lastLoginAt: cursorOf('lastLoginAt', seconds),
  createdAt: cursorOf('createdAt', seconds),
}

const placeRead = sql.identifier('place')

/** Unique: no two accounts have the same value. */
function byText(name: 'email' | 'phone' | 'username'): Order {
  const text = texts[name]
  return {
    cursor: cursors[name],
    place: text,
    by: [asc(text)],
    again: [asc(placeRead)],
    after: (last) => last && gt(text, sql`${last.place}::text`),
  }
}

const byName: Order = {
  cursor: cursors.name,
  place: texts.name,
  by: [asc(texts.name), asc(profiles.userId)],
  again: [asc(placeRead), asc(users.userId)],
  after: (last) =>
    last &&
    sql`(${texts.name}, ${profiles.userId}) > (${last.place}::text collate "C", ${last.userId}::uuid)`,
}

function newestFirst(
  name: 'lastLoginAt' | 'createdAt',
  column: Moment,
  userId: Listed['userId'],
): Order {
  return {
    cursor: cursors[name],
    place: sql<string>`extract(epoch from ${column})::text`,
    by: [desc(column), desc(userId)],
    again: [desc(column), desc(userId)],
    after: (last) =>
      last &&
      sql`(${column}, ${userId}) < (to_timestamp(${last.place}::numeric), ${last.userId}::uuid)`,
  }
}

// Columns are named one by one: a secret that the table gets later is not shown by itself.
const detailColumns = {
  generation: users.generation,
  locale: users.locale,
  timezone: profiles.timezone,
  firstName: profiles.firstName,
  lastName: profiles.lastName,
  metadata: profiles.metadata,
  hasPassword: sql<boolean>`${users.passwordHash} is not null`,
  mustChangePassword: users.passwordChangeRequired,
  purgeAt: users.purgeAt,
}

/** Null for an account that is unknown, or no longer exists. */
export async function readUserRow(db: Db, userId: string) {
  if (!isUuid(userId)) return null
  const [row] = await db
    .select({ item: itemColumns, ...detailColumns })
    .from(users)
    .innerJoin(profiles, eq(profiles.userId, users.userId))
    .where(eq(users.userId, userId))
  return row && row.item.status !== 'deleted' ? row : null
}
