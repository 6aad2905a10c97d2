import { randomUUID } from 'node:crypto'
import type { Tx } from '@svc/core'
import {
  changeProfile,
  createAccount,
  type LockedAccount,
  moveStatus,
} from '../accounts/accounts.ts'
import { recordAudit } from '../audit/audit.ts'
import type { Needs } from '../auth.ts'
import { findRole, hasRoles, isMigrated } from '../roles/roles.ts'
import { importLink } from '../social/social.ts'
import { createRehearsal, findPlace, importedUserId, type Rehearsal } from './find-place.ts'
import type { ImportedRow, ImportedUser, ImportRow, RefusalReason } from './imported-user.ts'

type ImportNeeds = Needs<'db' | 'clock'>

interface ImportOptions {
  /** The system that the ids are of. */
  readonly source: string
  /** Does everything, and rolls it back. */
  readonly dryRun: boolean
}

/**
 * One transaction for this many rows. An import that was interrupted is repeated, and finds what it
 * has done.
 */
const batchSize = 25
const mostTries = 3

/**
 * Imports users from another system, and reports for each row what happened. Existing accounts stay
 * as they are.
 */
export async function* importUsers(
  auth: ImportNeeds,
  rows: AsyncIterable<ImportRow>,
  options: ImportOptions,
): AsyncGenerator<ImportedRow> {
  await requireRoles(auth)
  const rehearsal = createRehearsal()
  const roles = new Map<string, boolean>()
  for await (const batch of inBatches(rows)) {
    yield* await importBatch(auth, batch, { ...options, rehearsal, roles })
  }
}

/** Before the first row: otherwise every row would report it, as if the row were wrong. */
async function requireRoles({ db }: ImportNeeds) {
  if (!(await isMigrated(db))) {
    throw new Error(
      'This database is not migrated. Run "npx @svc/cli migrate", then start the server once.',
    )
  }
  if (await hasRoles(db)) return
  throw new Error('This database has no roles yet. Start the server once to create them.')
}

async function* inBatches(rows: AsyncIterable<ImportRow>) {
  let batch: ImportRow[] = []
  for await (const row of rows) {
    batch.push(row)
    if (batch.length < batchSize) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

type Run = ImportOptions & {
  rehearsal: Rehearsal
  /** Whether a role of the name exists: each name is looked up once. */
  roles: Map<string, boolean>
}

class RehearsedError extends Error {
  override readonly name = 'RehearsedError'
}

async function importBatch({ db, clock }: ImportNeeds, batch: readonly ImportRow[], run: Run) {
  const imported: ImportedRow[] = []
  const now = clock.now()
  try {
    await db.transaction(async (tx) => {
      for (const row of batch) imported.push(await importRow(tx, row, { ...run, now }))
      if (run.dryRun) throw new RehearsedError()
    })
  } catch (error) {
    if (!(error instanceof RehearsedError)) throw error
  }
  return imported
}

type Arrival = Run & { now: Date }

async function importRow(
  tx: Tx,
  { line, user }: ImportRow,
  arrival: Arrival,
): Promise<ImportedRow> {
  if (typeof user === 'string') return { line, outcome: 'refused', reason: user }
  const { externalId, email } = user
  const names = {
    ...(externalId !== undefined && { externalId }),
    ...(email !== undefined && { email }),
  }
  return { line, ...names, ...(await importUser(tx, user, arrival)) }
}

async function isRole(tx: Tx, name: string, { roles }: Run) {
  const isKnown = roles.get(name) ?? (await findRole(tx, name)) !== null
  roles.set(name, isKnown)
  return isKnown
}

type Outcome = Omit<ImportedRow, 'line'>

async function importUser(tx: Tx, user: ImportedUser, arrival: Arrival): Promise<Outcome> {
  const { source, rehearsal } = arrival
  const { externalId } = user
  const userId = externalId === undefined ? undefined : importedUserId(source, externalId)
  if (!(await isRole(tx, user.role, arrival))) return refused('role_unknown')
  for (let tries = 1; ; tries += 1) {
    const place = await findPlace(tx, rehearsal, { user, userId })
    if (place.state === 'refused') return refused(place.reason)
    if (place.state === 'exists') return { outcome: 'exists', userId: place.userId }
    const comer = place.isUsernameTaken ? withoutUsername(user) : user
    try {
      return await open(tx, comer, { ...arrival, userId })
    } catch (error) {
      // A second look finds the faster one.
      if (!(error instanceof OvertakenError) || tries === mostTries) throw error
    }
  }
}

async function open(
  tx: Tx,
  user: ImportedUser,
  { dryRun, rehearsal, ...opening }: Arrival & { userId: string | undefined },
): Promise<Outcome> {
  const userId = await tx.transaction((inner) => openImported(inner, { ...opening, user }))
  if (dryRun) rehearsal.remember(userId, user)
  return { outcome: 'created', userId, ...(user.left.length > 0 && { left: user.left }) }
}

function refused(reason: RefusalReason): Outcome {
  return { outcome: 'refused', reason }
}

/** A username is only shown, and doesn't sign in: its owner can choose another. */
function withoutUsername({ username, ...user }: ImportedUser): ImportedUser {
  return { ...user, left: [...user.left, 'username'] }
}

/** Another transaction has created such an account between our look and our write. */
class OvertakenError extends Error {
  override readonly name = 'OvertakenError'
}

interface Opening {
  user: ImportedUser
  userId: string | undefined
  source: string
  now: Date
}

/** Opens the account with all its parts, silently: it sends no mail and emits no event. */
async function openImported(tx: Tx, opening: Opening) {
  const { user, now } = opening
  const account = await createAccount(tx, columnsOf(opening))
  if (!account) throw new OvertakenError()
  await changeProfile(tx, account, profileOf(user))
  await linkAll(tx, account, { user, now })
  if (user.suspended) await moveStatus(tx, account, { from: 'active', to: 'suspended' })
  await audit(tx, account, opening)
  return account.userId
}

function columnsOf({ user, userId = randomUUID(), now }: Opening) {
  const { email, phone, username, role, locale, displayName, passwordHash = null } = user
  const createdAt = user.createdAt && user.createdAt < now ? user.createdAt : now
  return {
    userId,
    role,
    passwordHash,
    displayName,
    ...(email !== undefined && { email, emailVerifiedAt: user.emailVerified ? now : null }),
    ...(phone !== undefined && { phone, phoneVerifiedAt: user.phoneVerified ? now : null }),
    ...(username !== undefined && { username }),
    ...(locale !== undefined && { locale }),
    now: createdAt,
  }
}

function profileOf({ firstName, lastName, avatarUrl }: ImportedUser) {
  return { firstName, lastName, avatarUrl }
}

async function linkAll(
  tx: Tx,
  account: LockedAccount,
  { user, now }: { user: ImportedUser; now: Date },
) {
  for (const { provider, id } of user.accounts) {
    const link = { provider, providerUserId: id, linkedAt: now }
    if (!(await importLink(tx, account, link))) throw new OvertakenError()
  }
}

function audit(tx: Tx, { userId }: LockedAccount, { user, source, now }: Opening) {
  const { externalId, role } = user
  const details = { source, role, ...(externalId !== undefined && { externalId }) }
  return recordAudit(tx, { act: 'user.imported', target: userId, details, at: now })
}
