import {
  findAccountByEmail,
  type LockedAccount,
  lockAccount,
  normaliseEmail,
} from '@svc/auth/server'
import type { Tx } from '@svc/core'
import {
  countMembers,
  findMember,
  insertMember,
  isBuiltIn,
  isUuid,
  rolesOf,
} from '../membership/membership.ts'
import type { Given } from './formats.ts'
import { openOrganization } from './open-organization.ts'
import {
  type ImportedOrganization,
  type Line,
  pastOf,
  RefusedRow,
  type Run,
  type Seen,
} from './run.ts'
import * as store from './store.ts'

export type OfUser = Pick<Given & { kind: 'member' }, 'userId' | 'accountId' | 'email'>

interface Member extends ImportedOrganization {
  readonly given: Given & { kind: 'member' }
  readonly roles: readonly string[]
  readonly line: number
}

/** Adds a member, and the organization with its first one. Existing members keep their roles. */
export async function importMember(tx: Tx, run: Run, seen: Seen, member: Member): Promise<Line[]> {
  const { given, roles, line, organizationId } = member
  // Before the organization, in the order of a purge.
  const { userId } = await lockUser(tx, run, given)
  const opened = await openOrganization(tx, run, member)
  const membership = { organizationId, userId }
  const thing = `member ${userId}`
  const of = { line, kind: 'member', ...membership }
  const isNew = await store.mark(tx, { ...membership, thing })
  const isIn = run.rehearsed.has(`${organizationId} ${thing}`) || (await findMember(tx, membership))
  if (isIn) return [opened, { ...of, outcome: 'exists' }]
  if (!isNew) throw new RefusedRow('left_since')
  await refuseUnknownRoles(tx, organizationId, roles)
  seen.members ??= await countMembers(tx, organizationId)
  if (seen.members >= run.maxMembers) throw new RefusedRow('full')
  const now = run.clock.now()
  const at = pastOf(run.readers.moment(given.joinedAt), now)
  await insertMember(tx, { ...membership, roles: [...roles], at })
  await run.audit(tx, 'organization.member_added', {
    target: userId,
    details: { organizationId, roles, source: run.from },
    at: now,
  })
  return [opened, { ...of, outcome: 'created' }]
}

/**
 * The account of a user, locked: the one of this id, or the one that was imported with this id, else the one that has
 * proved the address. An account that has not proved it may be an attacker's.
 */
export async function lockUser(tx: Tx, run: Run, given: OfUser): Promise<LockedAccount> {
  const account = await lockGiven(tx, run, given)
  const isGone = !account || account.status === 'deleted' || account.isService
  if (isGone) throw new RefusedRow('user_unknown')
  return account
}

async function lockGiven(tx: Tx, { readers, format, importedId }: Run, given: OfUser) {
  const accountId = readers.id(given.accountId)
  // If it is gone, another person may have the address by now.
  if (accountId && isUuid(accountId)) return lockAccount(tx, accountId)
  const externalId = readers.id(given.userId)
  const userId = externalId ? importedId(format.users, externalId) : null
  const imported = userId === null ? null : await lockAccount(tx, userId)
  return imported ?? lockAt(tx, readers.text(given.email))
}

async function lockAt(tx: Tx, given: string | undefined) {
  const email = addressOf(given)
  const found = email === null ? null : await findAccountByEmail(tx, email)
  const account = found && (await lockAccount(tx, found.userId))
  return account?.email === email && account?.emailVerifiedAt ? account : null
}

/** Clerk gives a user's number or name where there is no address. */
function addressOf(given: string | undefined) {
  if (given === undefined) return null
  try {
    return normaliseEmail(given)
  } catch {
    return null
  }
}

/** The roles of a member by the names that they have here. `member` if the export has none. */
export function rolesGiven({ readers, roleNames }: Run, given: unknown) {
  const all = Array.isArray(given) ? given : [given]
  const names = all
    // PostgreSQL writes a list as {owner,admin}.
    .flatMap((each) => (readers.text(each) ?? '').replace(/^\{|\}$/g, '').split(','))
    .map((name) => name.trim())
    .filter((name) => name !== '')
    .map((name) => roleNames.get(name.toLowerCase()) ?? name.toLowerCase())
  return names.length === 0 ? ['member'] : [...new Set(names)]
}

async function refuseUnknownRoles(tx: Tx, organizationId: string, names: readonly string[]) {
  const own = names.filter((name) => !isBuiltIn(name))
  if (own.length === 0) return
  const stored = await rolesOf(tx, organizationId, own)
  if (stored.length < own.length) throw new RefusedRow('role_unknown')
}
