import { randomUUID } from 'node:crypto'
import type { Tx } from '@svc/core'
import { displayText } from '../display-text.ts'
import { lockAccount } from './lock-account.ts'
import { profiles, users } from './schema.ts'

export interface NewAccount {
  /** Where an import knows who it is; drawn unless given. */
  userId?: string
  username?: string | null
  email?: string | null
  emailVerifiedAt?: Date | null
  phone?: string | null
  phoneVerifiedAt?: Date | null
  passwordHash: string | null
  role: string
  locale?: string
  passwordChangeRequired?: boolean
  displayName?: string | undefined
  now: Date
}

/** Opens an account. Null when its address, number or username is another's, or it is there. */
export async function createAccount(tx: Tx, { displayName, now, ...account }: NewAccount) {
  const { userId = randomUUID() } = account
  const [created] = await tx
    .insert(users)
    .values({ ...account, userId, publicId: randomUUID(), createdAt: now })
    .onConflictDoNothing()
    .returning({ userId: users.userId })
  if (!created) return null
  await tx.insert(profiles).values({ userId, displayName: displayText(displayName, 100) })
  return lockAccount(tx, userId)
}
