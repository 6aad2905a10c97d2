import { randomUUID } from 'node:crypto'
import type { Tx } from '@svc/core'
import { createAccount } from '../accounts/create-account.ts'
import type { LockedAccount } from '../accounts/lock-account.ts'
import { moveStatus } from '../accounts/move-status.ts'
import { changeProfile } from '../accounts/profile.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { importLink } from '../social/accounts/import-link.ts'
import type { ImportedUser } from './imported-user.ts'

/** Somebody has come between our look and our write. */
export class OvertakenError extends Error {
  override readonly name = 'OvertakenError'
}

interface Opening {
  user: ImportedUser
  userId: string | undefined
  source: string
  now: Date
}

/** Opens the account with all that comes along, and tells nobody: no mail goes out, and no event. */
export async function openImported(tx: Tx, opening: Opening) {
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
