import { ConflictError, type Db } from '@svc/core'
import { findReader } from '../accounts/accounts.ts'
import { undoMillis, wasChangedSince } from '../contact/contact.ts'

interface Asked {
  userId: string
  /** When the removal was asked for. */
  createdAt: Date
}

/**
 * Where the owner hears of a removal. Null where it may be a thief who reads there: the address was proved shortly before
 * it was asked for, or since, or an address or number was changed in that time. Also where that was taken back: of the
 * two who fight for an account, either may be the thief.
 */
export async function findOwner(db: Db, { userId, createdAt }: Asked) {
  const since = new Date(createdAt.getTime() - undoMillis)
  const reader = await findReader(db, userId)
  if (!reader || reader.emailVerifiedAt > since) return null
  return (await wasChangedSince(db, userId, since)) ? null : reader
}

export async function refuseUnreachable(db: Db, asked: Asked) {
  if (await findOwner(db, asked)) return
  throw new ConflictError({
    message:
      'The owner might not get the mail: no address is proved, or an address or number changed lately.',
  })
}
