import type { Db } from '@svc/core'
import type { Mail } from '@svc/notification'
import { findReader } from '../accounts/find-reader.ts'

interface ToUser<Given> {
  userId: string
  data: Given
}

/** Sends a user a mail of the application's, in the user's language. False without a proved address: nothing is sent. */
export async function mailUser<Given>(
  db: Db,
  mail: Pick<Mail<unknown, Given>, 'send'>,
  { userId, data }: ToUser<NoInfer<Given>>,
): Promise<boolean> {
  const reader = await findReader(db, userId)
  if (!reader) return false
  const { email: to, locale } = reader
  await mail.send({ to, locale, data })
  return true
}
