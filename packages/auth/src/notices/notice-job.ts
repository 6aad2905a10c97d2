import { defineJob, t } from '@svc/core'
import { findReader } from '../accounts/find-reader.ts'
import { authOn } from '../auth.ts'
import type { Notice } from './notice.ts'

const Queued = t.Object({
  userId: t.String(),
  template: t.String(),
  facts: t.Record(t.String(), t.Unknown()),
})

/** Mails a notice, to the address and in the language that the account has by then. */
export const notice = defineJob('auth.notice')
  .input(Queued)
  .handler(async ({ userId, ...queued }, { db }) => {
    const reader = await findReader(db, userId)
    if (!reader) return
    // `sendNotice` alone enqueues, and takes nothing but a `Notice`.
    const { template, facts } = queued as unknown as Extract<Notice, { template: 'new-device' }>
    const { email: to, locale } = reader
    await authOn(db).notifier.send({ channel: 'mail', to, locale, template, facts })
  })
