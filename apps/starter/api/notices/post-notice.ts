import { randomUUID } from 'node:crypto'
import { getUser } from '@svc/auth/server'
import type { HandlerContext } from '@svc/core'
import { type OutputOf, t } from '@svc/core/contract'
import { accountName } from '../account-name.ts'
import { noticePosted } from '../events.ts'
import { notices } from '../schema.ts'

export const NewNotice = t.Object({ text: t.String({ minLength: 1, maxLength: 500 }) })

type Context = Pick<HandlerContext, 'db' | 'clock' | 'raw'>

/** Posts a notice in the name of the user who sent the request. */
export async function postNotice(c: Context, { text }: OutputOf<typeof NewNotice>) {
  const notice = {
    id: randomUUID(),
    text,
    author: accountName(getUser(c.raw)),
    createdAt: c.clock.now(),
  }
  await c.db.transaction(async (tx) => {
    await tx.insert(notices).values(notice)
    // Delivered after the commit; a rollback drops it.
    await noticePosted.emit(notice)
  })
  return notice
}
