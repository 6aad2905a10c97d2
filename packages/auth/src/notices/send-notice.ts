import type { Needs } from '../auth.ts'
import type { Notice } from './notice.ts'
import { notice as noticeJob } from './notice-job.ts'

/** Tells an account's owner, once the open transaction has committed. */
export async function sendNotice({ notifier }: Needs<'notifier'>, notice: Notice) {
  if (!notifier.sends(notice.template)) return
  await noticeJob.enqueue({ ...notice, facts: { ...notice.facts } })
}
