import type { Tx } from '@svc/core'
import type { Needs } from '../auth.ts'
import { type Notice, withoutDetails } from './notice.ts'
import { notice as noticeJob } from './notice-job.ts'

/** Tells an account's owner, once the open transaction has committed. */
export async function sendNotice(
  tx: Tx,
  { notifier, log }: Needs<'notifier' | 'log'>,
  notice: Notice,
) {
  const { template } = notice
  if (!notifier.sends(template)) return
  // In a savepoint of its own, so that a sign-in does not fail when the queue is down.
  const enqueue = (each: Notice) => tx.transaction(() => noticeJob.enqueue(each))
  try {
    await enqueue(notice).catch((error: unknown) => {
      // An attacker must not be able to suppress the notice with the name of a device.
      log.error({ err: error, template }, 'a notice goes without its details')
      return enqueue(withoutDetails(notice))
    })
  } catch (error) {
    log.error({ err: error, template }, 'the queue took no notice')
  }
}
