import { type CursorPage, type Db, defineCursor, t } from '@svc/core'
import { and, desc, inArray, lte, sql } from 'drizzle-orm'
import { type WrittenRow, writtenColumns } from './chain/written-rows.ts'
import { auditItem } from './list-audit-events.ts'
import { auditEvents } from './schema.ts'

/** Which entries of an organization to read. */
export interface OrganizationActsQuery {
  readonly organizationId: string
  /** The acts that the reader may see. */
  readonly acts: readonly string[]
  /** A user id, as entries have it. */
  readonly actor?: string | undefined
  readonly after?: string | undefined
  readonly limit: number
}

/** An entry of the trail, without what only operators may see. */
export interface OrganizationAct {
  readonly at: string
  readonly act: string
  readonly outcome: 'done' | 'refused'
  /** Never an operator: in a support session the account’s owner, and else none if `details.by` is `operator`. */
  readonly actor?: string
  readonly target?: string
  readonly details?: Readonly<Record<string, unknown>>
  readonly byOperator: boolean
}

// Not by the id of a row, as members would read in it how much all organizations do.
const newestFirst = defineCursor(
  'acts of an organization, newest first',
  t.Object({
    at: t.String({ format: 'date-time' }),
    skip: t.Integer({ minimum: 1, maximum: 1_000_000 }),
  }),
)

const { details } = auditEvents
const shownActor = sql`case when ${details} ->> 'by' = 'operator' then null
  else coalesce(${details} ->> 'onBehalfOf', ${auditEvents.actor}::text) end`

// The length is what the index asks for.
const ofOrganization = (organizationId: string) =>
  sql`(${details} ->> 'organizationId') = ${organizationId} and length(${details} ->> 'organizationId') = 36`

type Place = NonNullable<ReturnType<typeof newestFirst.read>>

/** @internal What `listOrganizationActs` asks. */
export function selectOrganizationActs(db: Db, query: OrganizationActsQuery, from?: Place) {
  const { organizationId, acts, actor, limit } = query
  const which = and(
    ofOrganization(organizationId),
    inArray(auditEvents.act, [...acts]),
    actor === undefined ? undefined : sql`${shownActor} = ${actor}`,
    from && lte(auditEvents.at, new Date(from.at)),
  )
  return db
    .select(writtenColumns)
    .from(auditEvents)
    .where(which)
    .orderBy(desc(auditEvents.at), desc(auditEvents.auditId))
    .offset(from?.skip ?? 0)
    .limit(limit + 1)
}

/**
 * Entries of the trail that name an organization in `details.organizationId`, the newest first, for its members. They
 * have no address, no key, no request and no operator. The caller decides who may read, and which acts.
 */
export async function listOrganizationActs(
  db: Db,
  query: OrganizationActsQuery,
): Promise<CursorPage<OrganizationAct>> {
  const from = newestFirst.read(query.after)
  const items = (await selectOrganizationActs(db, query, from)).map(forMembers)
  return newestFirst.page(items, query.limit, () => placeAfter(items.slice(0, query.limit), from))
}

/** Many entries may be of one moment: an import writes thousands. */
function placeAfter(shown: readonly OrganizationAct[], from: Place | undefined): Place {
  const at = shown.at(-1)?.at ?? ''
  const ofMoment = shown.filter((item) => item.at === at).length
  return { at, skip: ofMoment + (from?.at === at ? from.skip : 0) }
}

function forMembers(row: WrittenRow): OrganizationAct {
  const { at, act, outcome, actor: author, target, details: written } = auditItem(row)
  const { organizationId: _, agent: __, onBehalfOf, by, ...own } = written ?? {}
  const byOperator = by === 'operator' || onBehalfOf !== undefined
  const owner = typeof onBehalfOf === 'string' && by !== 'operator' ? onBehalfOf : undefined
  const actor = byOperator ? owner : author
  return {
    at,
    act,
    outcome,
    ...(actor && { actor }),
    ...(target && { target }),
    ...(Object.keys(own).length > 0 && { details: own }),
    byOperator,
  }
}
