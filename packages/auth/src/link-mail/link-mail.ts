import { afterCommit, type Log, type OutputOf, type Tx, t } from '@svc/core'

/**
 * The row that needs its link mailed. It has no token: the job that mails the link makes it, so
 * that no queue holds one.
 */
export const LinkMailOrder = t.Object({
  /** The capability's name for it. */
  kind: t.String(),
  id: t.String(),
})
export type LinkMailOrder = OutputOf<typeof LinkMailOrder>

export interface LinkMail {
  /**
   * Has a link made and mailed, once the transaction has committed. The response doesn't wait for
   * the mail, so it shows neither whether there is an account nor whether queue or provider are up.
   */
  order(tx: Tx, order: LinkMailOrder): Promise<void>
  /** Waits for what is in progress in this process. */
  close(): Promise<void>
}

type Send = (order: LinkMailOrder) => Promise<void>

interface Needs {
  delivery: 'auto' | 'inline' | 'queued'
  log: Log
  enqueue: Send
  send: Send
}

/**
 * `auto` mails from this process if the queue does not accept the order; `queued` never does
 * (A-185).
 */
export function createLinkMail({ delivery, log, enqueue, send }: Needs): LinkMail {
  const underWay = new Set<Promise<void>>()

  function sendHere(order: LinkMailOrder) {
    const sending = send(order)
      .catch((error: unknown) => log.error({ err: error, ...order }, 'a link was not mailed'))
      .finally(() => underWay.delete(sending))
    underWay.add(sending)
  }

  async function isQueued(tx: Tx, order: LinkMailOrder) {
    try {
      // In a savepoint of its own: a failing queue must not roll the request's rows back.
      await tx.transaction(() => enqueue(order))
      return true
    } catch (error) {
      log.error({ err: error, ...order }, 'a link mail could not be queued')
      return false
    }
  }

  return {
    async order(tx, order) {
      if (delivery !== 'inline' && (await isQueued(tx, order))) return
      if (delivery !== 'queued') await afterCommit(() => sendHere(order))
    },
    async close() {
      await Promise.allSettled(underWay)
    },
  }
}
