import type { Application } from '../application/application.ts'
import { callNamed, queryOf } from '../call/call.ts'
import { UsageError } from '../failure.ts'
import { findUser, readUsers, type User } from '../find-user.ts'
import { type Flags, flags as known } from '../flags.ts'
import { printJson, printTable, printText } from '../print-answer.ts'
import type { Act } from './acts.ts'
import { describeUser } from './describe-user.ts'

export async function listUsers({ definition }: Application, flags: Flags) {
  const { email, phone, role, status, limit, after, 'user-name': name } = flags
  const query = queryOf({ email, phone, name, role, status, after, limit })
  const page = await readUsers(definition, flags, query)
  if (flags.output === 'json') return printJson(page)
  if (page.users.length === 0) {
    return printText('No user is like that. Give less of the address or name.')
  }
  printTable(
    ['User id', 'Address or number', 'Name', 'Role', 'Status', 'Last sign-in'],
    page.users.map((user) => [
      user.userId,
      contactOf(user),
      user.displayName ?? '',
      user.role,
      user.status,
      user.lastLoginAt ?? 'never',
    ]),
  )
  return page.next === undefined ? 0 : printText(`\nThere are more: add --after ${page.next}`)
}

export async function showUser({ definition }: Application, flags: Flags, wanted: string) {
  const { userId } = await findUser(definition, flags, wanted)
  const input = { params: { userId } }
  const user = await callNamed(definition, { flags, name: 'readUser', input })
  if (flags.output === 'json') return printJson(user)
  return printText(describeUser(user as never))
}

export async function actOn(
  { definition }: Application,
  { flags, user: wanted, act }: { flags: Flags; user: string; act: Act },
) {
  if (act.flags.includes('role') && flags.role === undefined) {
    throw new UsageError(`This needs a role: --role ${known.role.value}`)
  }
  const user = await findUser(definition, flags, wanted)
  const input = act.input(flags)
  const answer = await callNamed(definition, {
    flags,
    name: act.operation,
    input: { ...input, params: { ...input.params, userId: user.userId } },
  })
  const told = (answer ?? {}) as Record<string, unknown>
  if (flags.output === 'json') return printJson({ userId: user.userId, ...told })
  return printText(act.done(contactOf(user), told))
}

export async function listAudit({ definition }: Application, flags: Flags) {
  const { act, actor, target, 'from-time': from, 'to-time': to, page, limit } = flags
  const query = queryOf({ act, actor, target, from, to, page, limit })
  const answer = await callNamed(definition, { flags, name: 'listAuditEvents', input: { query } })
  if (flags.output === 'json') return printJson(answer)
  const { data, meta } = answer as { data: AuditRow[]; meta: { pagination: Pages } }
  if (data.length === 0) return printText('The trail has nothing like that.')
  printTable(
    ['When', 'What', 'Outcome', 'By', 'To'],
    data.map((row) => [
      row.at,
      row.times > 1 ? `${row.act} × ${row.times}` : row.act,
      row.outcome,
      partyOf(row.actor, row.actorAccount),
      partyOf(row.target, row.targetAccount),
    ]),
  )
  const { page: current, totalPages } = meta.pagination
  if (current >= totalPages) return 0
  return printText(`\nPage ${current} of ${totalPages}: add --page ${current + 1}`)
}

interface AccountLabel {
  name?: string
  isDeleted: boolean
}

/** An account by its address. Who may not read users has its id alone. */
function partyOf(id: string | undefined, account: AccountLabel | undefined) {
  if (account?.isDeleted) return `${id} (deleted)`
  return account?.name ?? id ?? ''
}

interface AuditRow {
  at: string
  act: string
  outcome: string
  actor?: string
  actorAccount?: AccountLabel
  target?: string
  targetAccount?: AccountLabel
  times: number
}

interface Pages {
  page: number
  totalPages: number
}

function contactOf({ email, phone, username, userId }: User) {
  return email ?? phone ?? username ?? userId
}
