import { randomUUID } from 'node:crypto'
import { getUser } from '@svc/auth/server'
import type { HandlerContext } from '@svc/core'
import { type OutputOf, t } from '@svc/core/contract'
import { noticePosted } from '../events.ts'
import { notices } from '../schema.ts'

export const NewNotice = t.Object({ text: t.String({ minLength: 1, maxLength: 500 }) })

type Context = Pick<HandlerContext, 'db' | 'clock' | 'raw'>
type Given = OutputOf<typeof NewNotice>

/** A notice in the name of the user who sent the request. */
export function noticeBy(c: Pick<Context, 'clock' | 'raw'>, { text }: Given) {
  return {
    id: randomUUID(),
    text,
    author: accountName(getUser(c.raw)),
    createdAt: c.clock.now(),
  }
}

export async function postNotice(c: Context, given: Given) {
  const notice = noticeBy(c, given)
  await c.db.transaction(async (tx) => {
    await tx.insert(notices).values(notice)
    // Delivered after the commit; a rollback drops it.
    await noticePosted.emit(notice)
  })
  return notice
}

interface Account {
  readonly username: string | null
  readonly email: string | null
}

/** What others see of an account. The board is public, so never a whole address. */
export function accountName({ username, email }: Account) {
  return username ?? email?.split('@', 1)[0] ?? 'someone'
}
