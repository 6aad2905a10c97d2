import type { CapabilityImport, CapabilityImporter, ExportedFields } from '@svc/auth/server'
import { formats, type Given } from './formats.ts'
import { importMember, rolesGiven } from './import-member.ts'
import { importTeam, importTeamMember } from './import-team.ts'
import { giveOwners } from './owners.ts'
import {
  type ImportedOrganization,
  inTransaction,
  type Line,
  pastOf,
  type RefusalReason,
  RefusedRow,
  type Run,
  readOrganization,
  type Seen,
} from './run.ts'
import { isMigrated } from './store.ts'

export { forgetImported } from './store.ts'

interface Bounds {
  readonly maxMembers: number
}

/**
 * Imports organizations with their members and teams: `svc organizations import` runs it. What exists stays as it is,
 * and what was removed since an earlier run is not brought back.
 */
export function organizationImporter({ maxMembers }: Bounds): CapabilityImporter {
  return async function* importOrganizations(given) {
    const format = formats.get(given.from)
    if (!format) {
      const known = [...formats.keys()].join(', ')
      throw new Error(`The system ${given.from} is unknown. Use one of ${known}.`)
    }
    if (!(await isMigrated(given.db))) {
      throw new Error('This database is not migrated. Run "npx @svc/cli migrate".')
    }
    const roleNames = roleNamesOf(given.options)
    const run: Run = {
      ...given,
      format,
      roleNames,
      maxMembers,
      seen: new Map(),
      rehearsed: new Set(),
    }
    const records = given.records((document) => format.recordsOf(document, given.readers))
    for await (const { line, fields } of records) yield* importRecord(run, line, fields)
    yield* giveOwners(run)
  }
}

/** `--roles editor=admin,viewer=member` */
function roleNamesOf({ 'role-names': given }: CapabilityImport['options']) {
  const pairs = typeof given === 'string' ? given.split(',') : []
  return new Map(
    pairs.map((pair) => {
      const [theirs = '', ours = ''] = pair.split('=')
      return [theirs.toLowerCase(), ours] as const
    }),
  )
}

async function* importRecord(run: Run, line: number, fields: ExportedFields | null) {
  const all = fields && run.format.read(fields, run.readers)
  if (!all) yield { line, outcome: 'refused', reason: 'unreadable' } satisfies Line
  for (const given of all ?? []) yield* await importThing(run, line, given)
}

async function importThing(run: Run, line: number, given: Given): Promise<Line[]> {
  // Its link belongs to the other system.
  if (given.kind === 'invitation') return [{ line, kind: given.kind, outcome: 'left' }]
  try {
    const organization = readOrganization(run, given.organization)
    const lines = await importInto(run, { ...organization, line }, given)
    return lines.map((each) => ({ ...each, ...named(run, given, each.kind) }))
  } catch (error) {
    if (!(error instanceof RefusedRow)) throw error
    return [refusalOf(run, { line, given, reason: error.reason })]
  }
}

/** The id that a line's thing has in the other system, for the tables of the application. */
function named({ readers }: Run, given: Imported, kind: string | undefined = given.kind) {
  const own = given.kind === 'team' ? given.team.id : (given.userId ?? given.accountId)
  const externalId = readers.id(kind === 'organization' ? given.organization.id : own)
  return externalId ? { externalId } : {}
}

interface Refusal {
  readonly line: number
  readonly given: Imported
  readonly reason: RefusalReason
}

function refusalOf(run: Run, { line, given, reason }: Refusal): Line {
  const role = given.kind === 'member' ? rolesGiven(run, given.roles).join(',') : ''
  const which = reason === 'role_unknown' ? { role: role.slice(0, 200) } : {}
  return { line, kind: given.kind, outcome: 'refused', reason, ...named(run, given), ...which }
}

type Into = ImportedOrganization & { readonly line: number }
type OfMember = Given & { kind: 'member' }
type Imported = Exclude<Given, { kind: 'invitation' }>

async function importInto(run: Run, organization: Into, given: Imported): Promise<Line[]> {
  if (given.kind === 'member') return importAsMember(run, organization, given)
  const { team } = given
  const lines = await inTransaction(run, (tx) =>
    given.kind === 'team'
      ? importTeam(tx, run, { ...organization, team })
      : importTeamMember(tx, run, { ...organization, team, given }),
  )
  for (const each of lines) rehearse(run, each)
  return lines
}

async function importAsMember(run: Run, into: Into, given: OfMember) {
  const seen = run.seen.get(into.organizationId) ?? newlySeen(into)
  run.seen.set(into.organizationId, seen)
  const roles = rolesGiven(run, given.roles)
  const isOwner = roles.includes('owner')
  try {
    const member = { ...into, given, roles }
    const lines = await inTransaction(run, (tx) => importMember(tx, run, seen, member))
    if (isOwner) seen.hasOwner = true
    for (const each of lines) noteMember(run, seen, { each, roles, given })
    const isFirst = !seen.isThere
    seen.isThere = true
    return isFirst ? lines : lines.filter(({ kind }) => kind === 'member')
  } catch (error) {
    if (isOwner && error instanceof RefusedRow) seen.isOwnerRefused = true
    throw error
  }
}

const newlySeen = ({ line, organizationId }: Into): Seen => ({
  line,
  organizationId,
  isThere: false,
  isOwnerRefused: false,
  hasOwner: false,
  heir: null,
  members: null,
})

interface Noted {
  readonly each: Line
  readonly roles: readonly string[]
  readonly given: OfMember
}

function noteMember(run: Run, seen: Seen, { each, roles, given }: Noted) {
  if (each.kind !== 'member' || each.userId === undefined) return
  rehearse(run, each)
  if (each.outcome === 'created' && seen.members !== null) seen.members += 1
  const joinedAt = pastOf(run.readers.moment(given.joinedAt), run.clock.now())
  const heir = { userId: each.userId, isAdmin: roles.includes('admin'), joinedAt }
  if (!seen.heir || isBefore(heir, seen.heir)) seen.heir = heir
}

type Heir = NonNullable<Seen['heir']>

/** Admins first, and of them the one who has been a member for longest: as where an owner's account is deleted. */
function isBefore(one: Heir, other: Heir) {
  if (one.isAdmin !== other.isAdmin) return one.isAdmin
  return one.joinedAt < other.joinedAt
}

function rehearse({ dryRun, rehearsed }: Run, line: Line) {
  if (!dryRun || line.outcome !== 'created') return
  const { kind, organizationId, teamId, userId } = line
  const thing = [kind, teamId, userId].filter((each) => each !== undefined).join(' ')
  rehearsed.add(`${organizationId} ${thing}`)
}
