import type { ExportedFields, ExportReaders } from '@svc/auth/server'

interface OfOrganization {
  readonly organization: Readonly<Record<'id' | 'name' | 'slug' | 'createdAt', unknown>>
}

interface OfUser {
  readonly userId: unknown
  /** The id of the account here, which rows of the application itself have. */
  readonly accountId?: unknown
  readonly email: unknown
}

interface OfTeam {
  readonly team: Readonly<Record<'id' | 'name', unknown>>
}

/** A thing of an organization as an export has it, under our names. No value is validated yet. */
export type Given = OfOrganization &
  (
    | ({ readonly kind: 'member'; readonly roles: unknown; readonly joinedAt: unknown } & OfUser)
    | ({ readonly kind: 'team' } & OfTeam)
    | ({ readonly kind: 'team member' } & OfTeam & OfUser)
    | { readonly kind: 'invitation' }
  )

/** How a system writes organizations. */
export interface Format {
  /** The name under which `svc users import` has imported the users. */
  readonly users: string
  /** The records of a document of JSON. */
  recordsOf(document: unknown, readers: ExportReaders): readonly unknown[]
  /** What a record says. Null if it can't be understood. */
  read(fields: ExportedFields, readers: ExportReaders): Given[] | null
}

const organizationOf = (fields: ExportedFields) => ({
  id: fields('id'),
  name: fields('name'),
  slug: fields('slug'),
  createdAt: fields('createdAt'),
})

/** The tables of the plugin `organization`, or rows that a query has put together of them. */
const betterAuth: Format = {
  users: 'better-auth',
  recordsOf: (document, readers) =>
    Array.isArray(document) ? document : recordsOfTables(document, readers),
  read(fields, readers) {
    const inside = (name: string) => readers.fields(fields(name))
    const found = inside('organization')
    if (!found) return null
    const organization = organizationOf(found)
    const [member, teamMember, team] = [inside('member'), inside('teamMember'), inside('team')]
    const email = inside('user')?.('email') ?? fields('email')
    if (member) {
      const [roles, joinedAt] = [member('role'), member('createdAt')]
      const of = { userId: member('userId'), email }
      return [{ kind: 'member', organization, ...of, roles, joinedAt }]
    }
    if (inside('invitation')) return [{ kind: 'invitation', organization }]
    if (!team) return null
    const ofTeam = { organization, team: { id: team('id'), name: team('name') } }
    if (!teamMember) return [{ kind: 'team', ...ofTeam }]
    return [{ kind: 'team member', ...ofTeam, userId: teamMember('userId'), email }]
  },
}

/** Members before teams, because only members are in teams. */
function recordsOfTables(document: unknown, readers: ExportReaders): readonly unknown[] {
  const tables = readers.fields(document)
  const organizations = readers.list(tables?.('organization', 'organizations'))
  if (!tables || organizations.length === 0) return [document]
  const ofId = (rows: readonly object[]) =>
    new Map(rows.map((row) => [idIn(row, 'id', readers), row]))
  const byId = ofId(organizations)
  const users = ofId(readers.list(tables('user', 'users')))
  const teams = ofId(readers.list(tables('team', 'teams')))
  const rowsOf = (name: string) =>
    readers.list(tables(name, `${name}s`)).map((row) => {
      const team = teams.get(idIn(row, 'teamId', readers))
      return {
        organization: byId.get(idIn(team ?? row, 'organizationId', readers)),
        user: users.get(idIn(row, 'userId', readers)),
        team,
        [name]: row,
      }
    })
  return ['member', 'invitation', 'team', 'teamMember'].flatMap(rowsOf)
}

function idIn(row: object, name: string, readers: ExportReaders) {
  return readers.id(readers.fields(row)?.(name)) ?? undefined
}

/** Memberships, as Clerk's API lists them: each has its organization in it. A page of the list is one record. */
const clerk: Format = {
  // Clerk's export of users is no format of ours.
  users: 'own',
  recordsOf: (document) => (Array.isArray(document) ? document : [document]),
  read(fields, readers) {
    const page = fields('data')
    if (page === undefined) return membershipOf(fields, readers)
    const all = readers
      .list(page)
      .map((each) => readers.fields(each))
      .map((each) => each && membershipOf(each, readers))
    return all.some((each) => each === null) ? null : all.flatMap((each) => each ?? [])
  },
}

function membershipOf(fields: ExportedFields, readers: ExportReaders): Given[] | null {
  const organization = readers.fields(fields('organization'))
  const user = readers.fields(fields('publicUserData'))
  if (!organization || !user) return null
  const userId = user('userId')
  const role = readers.text(fields('role'))?.replace(/^org:/, '')
  // Clerk has no owner: it is the admin who has created the organization.
  const isOwner = role === 'admin' && userId !== undefined && userId === organization('createdBy')
  return [
    {
      kind: 'member',
      organization: organizationOf(organization),
      userId,
      email: user('identifier'),
      roles: isOwner ? 'owner' : role,
      joinedAt: fields('createdAt'),
    },
  ]
}

/** A row for each member, as a query of the application gives it. */
const own = (users: string): Format => ({
  users,
  recordsOf: (document) => (Array.isArray(document) ? document : [document]),
  read: (fields) => [
    {
      kind: 'member',
      organization: {
        id: fields('organization', 'organizationId', 'slug'),
        name: fields('name', 'organizationName'),
        slug: fields('slug'),
        createdAt: fields('organizationCreatedAt'),
      },
      userId: fields('user', 'userId'),
      accountId: fields('account', 'accountId'),
      email: fields('email'),
      roles: fields('role', 'roles'),
      joinedAt: fields('joinedAt', 'createdAt'),
    },
  ],
})

/** Every system that organizations are imported from, by the name that the command takes. */
export const formats: ReadonlyMap<string, Format> = new Map(
  Object.entries({ own: own('own'), 'better-auth': betterAuth, clerk, supabase: own('supabase') }),
)
