import type { Tx } from '@svc/core'
import type { Needs } from '../auth.ts'
import type { Notice } from './notice.ts'
import { notice as noticeJob } from './notice-job.ts'

/** Tells an account's owner, once the open transaction has committed. */
export async function sendNotice(
  tx: Tx,
  { notifier, log }: Needs<'notifier' | 'log'>,
  notice: Notice,
) {
  const { template } = notice
  if (!notifier.sends(template)) return
  try {
    // In a savepoint of its own: nobody is kept out because the queue is down.
    await tx.transaction(() => noticeJob.enqueue(notice))
  } catch (error) {
    log.error({ err: error, template }, 'the queue took no notice')
  }
}
