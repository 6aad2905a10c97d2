import type { CapabilityImport } from '@svc/auth/server'
import type { ImportedLine, Tx } from '@svc/core'
import { isUuid } from '../membership/membership.ts'
import type { Format, Given } from './formats.ts'

/** Why a row is refused. Commands explain each of them. */
export type RefusalReason =
  | 'unreadable'
  | 'id_invalid'
  | 'id_taken'
  | 'user_unknown'
  | 'role_unknown'
  | 'closed'
  | 'full'
  | 'left_since'
  | 'organization_unknown'
  | 'team_unknown'
  | 'not_a_member'
  | 'owner_refused'

/** Takes back what the row has changed so far. */
export class RefusedRow extends Error {
  override readonly name = 'RefusedRow'
  readonly reason: RefusalReason

  constructor(reason: RefusalReason) {
    super(reason)
    this.reason = reason
  }
}

/** What the rows so far say of an organization. */
export interface Seen {
  readonly line: number
  readonly organizationId: string
  /** A row has found or made it, and so it is in the report. */
  isThere: boolean
  /** It was refused, so no other member is made the owner in its place. */
  isOwnerRefused: boolean
  hasOwner: boolean
  /** The member who becomes the owner if none is named. */
  heir: { readonly userId: string; readonly isAdmin: boolean; readonly joinedAt: Date } | null
  /** Counted once, and then with the members of this run. */
  members: number | null
}

export interface Run extends CapabilityImport {
  readonly format: Format
  /** What a role of the other system is called here. */
  readonly roleNames: ReadonlyMap<string, string>
  readonly maxMembers: number
  readonly seen: Map<string, Seen>
  /** What a dry run has made and taken back: later rows must find it. */
  readonly rehearsed: Set<string>
}

/** A result for a row, with ids for the report. */
export interface Line extends ImportedLine {
  readonly reason?: RefusalReason
  readonly organizationId?: string
  readonly teamId?: string
  readonly userId?: string
  /** The id that the organization, the team or the user has in the other system. */
  readonly externalId?: string
  readonly role?: string
}

export interface ImportedOrganization {
  readonly organizationId: string
  readonly name: string
  /** As the other system has it. It may be taken here, or have another form. */
  readonly slug: string | undefined
  readonly createdAt: Date
}

export function readOrganization(
  { readers, clock, ...run }: Run,
  given: Given['organization'],
): ImportedOrganization {
  const organizationId = idOf(run, 'organization', readers.id(given.id))
  const slug = readers.text(given.slug)?.toLowerCase()
  const name = readers.line(given.name, 100) ?? readers.line(given.slug ?? given.id, 100)
  if (organizationId === null || name === undefined) throw new RefusedRow('id_invalid')
  const createdAt = pastOf(readers.moment(given.createdAt), clock.now())
  return { organizationId, name, slug, createdAt }
}

/** A UUID stays as it is. Another id gives a UUID, which is the same in every run. */
export function idOf(
  { from, importedId }: Pick<Run, 'from' | 'importedId'>,
  what: 'organization' | 'team',
  externalId: string | null | undefined,
) {
  if (!externalId) return null
  return isUuid(externalId) ? externalId.toLowerCase() : importedId(`${from} ${what}`, externalId)
}

export const pastOf = (moment: Date | undefined, now: Date) =>
  moment && moment < now ? moment : now

class RehearsedError extends Error {
  override readonly name = 'RehearsedError'
}

/** One transaction for a row. A dry run takes it back. */
export async function inTransaction<Result>(
  { db, dryRun }: Pick<Run, 'db' | 'dryRun'>,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  let rehearsed: { result: Result } | undefined
  try {
    return await db.transaction(async (tx) => {
      const result = await work(tx)
      if (!dryRun) return result
      rehearsed = { result }
      throw new RehearsedError()
    })
  } catch (error) {
    if (rehearsed && error instanceof RehearsedError) return rehearsed.result
    throw error
  }
}
