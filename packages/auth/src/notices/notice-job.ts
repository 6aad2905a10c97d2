import { defineJob, t } from '@svc/core'
import type { Notification } from '@svc/notification'
import { findReader } from '../accounts/find-reader.ts'
import { authOn } from '../auth.ts'
import type { NoticeTemplate } from './notice.ts'

const Queued = t.Object({
  userId: t.String(),
  template: t.String(),
  facts: t.Unknown(),
})

/** Mails a notice, to the address and in the language that the account has by then. */
export const notice = defineJob('auth.notice')
  .input(Queued)
  .handler(async ({ userId, ...queued }, { db }) => {
    const reader = await findReader(db, userId)
    if (!reader) return
    // `sendNotice` alone enqueues, and takes nothing but a `Notice`.
    const { template, facts } = queued as Pick<Notification<NoticeTemplate>, 'template' | 'facts'>
    const { email: to, locale } = reader
    await authOn(db).notifier.send({ channel: 'mail', to, locale, template, facts })
  })
