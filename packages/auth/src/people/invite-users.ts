import { ConflictError, ForbiddenError, ValidationError } from '@svc/core'
import { normaliseEmail } from '../accounts/accounts.ts'
import { AccountAlreadyExistsError } from '../accounts/errors.ts'
import type { ProvableCaller, RequestOrigin } from '../caller/caller.ts'
import { displayText } from '../display-text.ts'
import { csvRecords } from '../import/import.ts'
import { InvitationAlreadyExistsError } from '../invitations/errors.ts'
import { inviteAddress } from '../invitations/invitations.ts'
import { roleName } from '../roles/contract.ts'
import { RoleNotFoundError } from '../roles/errors.ts'
import type { PeopleHeld } from './act.ts'
import { type InvitedRow, mostInvited } from './user-details.ts'

/** An address for `inviteUsers`, and the name of its role: `user` unless set. */
export interface RowToInvite {
  email: string
  role?: string | undefined
}

interface Request {
  caller: ProvableCaller
  body: { csv?: string | undefined; rows?: readonly RowToInvite[] | undefined }
  origin: RequestOrigin
}

/** Invites each address in a transaction of its own: a row that is refused stops no other. */
export async function inviteUsers(auth: PeopleHeld, { caller, body, origin }: Request) {
  const rows = await readRows(body)
  await auth.limits.take('bulk invitations in an hour by account', caller.userId)
  const report: InvitedRow[] = []
  // One after the other: all at once would take the connections that others wait for.
  for (const [at, row] of rows.entries()) {
    const result = row ? await inviteRow(auth, { caller, row, origin }) : ('unreadable' as const)
    const named = row && { email: displayText(row.email, 320) ?? '' }
    report.push({ row: at + 1, ...named, result })
  }
  const invitedCount = report.filter(({ result }) => result === 'invited').length
  return { invitedCount, report }
}

/** Null where a line cannot be read. */
async function readRows({ csv, rows = [] }: Request['body']) {
  if (rows.length > mostInvited) throw invalid('body.rows', `Give at most ${mostInvited} rows.`)
  if (csv === undefined) return rows
  if (rows.length > 0) throw invalid('body', 'Give either csv or rows.')
  const read: (RowToInvite | null)[] = []
  for await (const { record } of csvRecords(pieces(csv))) {
    if (read.length === mostInvited) throw invalid('body.csv', `Give at most ${mostInvited} rows.`)
    read.push(rowOf(record))
  }
  return read
}

async function* pieces(text: string) {
  yield text
}

const invalid = (path: string, message: string) =>
  new ValidationError({ fields: [{ path, message }] })

function rowOf(record: unknown): RowToInvite | null {
  if (typeof record !== 'object' || record === null) return null
  const { email, role } = record as Record<string, unknown>
  if (typeof email !== 'string') return null
  return { email, ...(typeof role === 'string' && role.trim() !== '' && { role: role.trim() }) }
}

interface Row {
  caller: ProvableCaller
  row: RowToInvite
  origin: RequestOrigin
}

async function inviteRow(
  auth: PeopleHeld,
  { caller, row: { email: given, role = 'user' }, origin }: Row,
): Promise<InvitedRow['result']> {
  // No role has another name, and PostgreSQL can't look for every text.
  if (!roleName.test(role)) return 'role_not_allowed'
  try {
    const email = normaliseEmail(given)
    await inviteAddress(auth, { caller, body: { email, role }, email, origin })
    return 'invited'
  } catch (error) {
    const result = resultOf(error)
    if (result) return result
    throw error
  }
}

/** Null for a failure of ours, and for a caller who may no longer act: no row is to blame for those. */
function resultOf(error: unknown) {
  if (error instanceof AccountAlreadyExistsError) return 'member'
  if (error instanceof InvitationAlreadyExistsError) return 'already_invited'
  // It was accepted or cancelled in this very moment.
  if (error instanceof ConflictError) return 'already_invited'
  if (error instanceof ValidationError) return 'invalid_address'
  if (error instanceof RoleNotFoundError || error instanceof ForbiddenError)
    return 'role_not_allowed'
  return null
}
