import { createSecretKey } from 'node:crypto'
import { type CursorPage, type Db, defineCursor, t, ValidationError } from '@svc/core'
import { and, desc, inArray, sql } from 'drizzle-orm'
import { authOn } from '../auth.ts'
import { decrypt, deriveKey, encrypt, UnreadableSecretError } from '../crypto/crypto.ts'
import { isoOf, type WrittenRow, writtenColumns } from './chain/written-rows.ts'
import { auditItem, whereOf } from './list-audit-events.ts'
import { auditEvents } from './schema.ts'

/** Which entries of an organization to read. */
export interface OrganizationActsQuery {
  readonly organizationId: string
  /** The acts that the reader may see. */
  readonly acts: readonly string[]
  /** A user id, as entries have it. */
  readonly actor?: string | undefined
  /** The first moment, and the one after the last. */
  readonly from?: string | undefined
  readonly to?: string | undefined
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

/** The last entry of a page. Many are of one moment: an import writes thousands. */
interface Place {
  readonly at: string
  readonly auditId: string
}

// The id of a row is sealed, as members would read in it how much all organizations do.
const newestFirst = defineCursor(
  'acts of an organization, newest first, each after a sealed row',
  t.Object({ at: t.String({ format: 'date-time' }), row: t.String({ maxLength: 200 }) }),
)

const { details } = auditEvents
const shownActor = sql`case when ${details} ->> 'by' = 'operator' then null
  else coalesce(${details} ->> 'onBehalfOf', ${auditEvents.actor}::text) end`

// The length is what the index asks for.
const ofOrganization = (organizationId: string) =>
  sql`(${details} ->> 'organizationId') = ${organizationId} and length(${details} ->> 'organizationId') = 36`

/** @internal What `listOrganizationActs` asks. */
export function selectOrganizationActs(db: Db, query: OrganizationActsQuery, place?: Place) {
  const { organizationId, acts, actor, from, to, limit } = query
  const which = and(
    ofOrganization(organizationId),
    inArray(auditEvents.act, [...acts]),
    actor === undefined ? undefined : sql`${shownActor} = ${actor}`,
    whereOf({ from, to }),
    place &&
      sql`(${auditEvents.at}, ${auditEvents.auditId}) < (${place.at}::timestamptz, ${place.auditId}::bigint)`,
  )
  return db
    .select(writtenColumns)
    .from(auditEvents)
    .where(which)
    .orderBy(desc(auditEvents.at), desc(auditEvents.auditId))
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
  const { organizationId, after, limit } = query
  const seal = sealOf(db, organizationId)
  const given = newestFirst.read(after)
  const place = given && { at: given.at, auditId: seal.open(given) }
  const rows = await selectOrganizationActs(db, query, place)
  const placeOf = ({ at, auditId }: WrittenRow) => seal.close({ at: isoOf(at), auditId })
  const { items, ...next } = newestFirst.page(rows, limit, placeOf)
  return { items: items.map(forMembers), ...next }
}

/** Who has made things of an organization. */
export interface MakersQuery {
  readonly organizationId: string
  /** The acts that make one. */
  readonly acts: readonly string[]
  /** The targets of these acts, and when each was made. */
  readonly made: readonly { readonly target: string; readonly at: Date }[]
}

/**
 * The users who have made things of an organization, by the target, as far as the trail still has it. It reads the
 * minute in which each was made, and not the whole trail since.
 */
export async function readMakers(
  db: Db,
  { organizationId, acts, made }: MakersQuery,
): Promise<ReadonlyMap<string, string>> {
  if (made.length === 0) return new Map()
  const given = JSON.stringify(made)
  const { act, target, at } = auditEvents
  const { rows } = await db.execute<{ target: string; actor: string | null }>(sql`
    select m.target, (
      select ${shownActor} from ${auditEvents}
      where ${target} = m.target and ${inArray(act, [...acts])} and ${ofOrganization(organizationId)}
        and ${at} >= m.at and ${at} < m.at + interval '1 minute'
      order by ${at}, ${auditEvents.auditId} limit 1) as actor
    from json_to_recordset(${given}) m (target text, at timestamptz)`)
  return new Map(rows.flatMap(({ target: of, actor }) => (actor === null ? [] : [[of, actor]])))
}

const keyId = 'place'
// All are of one length: that of a number tells how large it is.
const digits = 19

function sealOf(db: Db, organizationId: string) {
  const { SVC_AUTH_VERIFICATION_TOKEN_SECRET: secret } = authOn(db).env
  const key = createSecretKey(deriveKey(secret, 'places in the trail of an organization'))
  const keyring = { activeKeyId: keyId, keys: new Map([[keyId, key]]) }
  return {
    close: ({ at, auditId }: Place) => ({
      at,
      row: encrypt(keyring, auditId.padStart(digits, '0'), [organizationId, at]),
    }),
    open({ at, row }: { at: string; row: string }) {
      try {
        return decrypt(keyring, row, [organizationId, at]).plaintext
      } catch (error) {
        if (!(error instanceof UnreadableSecretError)) throw error
        const message = 'Send the `next` of a page of the same list.'
        throw new ValidationError({ fields: [{ path: 'query.after', message }] })
      }
    },
  }
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
