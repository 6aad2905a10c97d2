import { type Db, defineJob } from '@svc/core'
import { LinkMailOrder } from '../link-mail/link-mail.ts'
import { runningOn } from './running-capabilities.ts'

/**
 * Mints the link of a row and mails it. Fails if the mail is not accepted, and is retried with
 * another token.
 */
export async function sendLinkMail(db: Db, { kind, id }: LinkMailOrder): Promise<void> {
  for (const { mailers } of runningOn(db)) {
    const send = mailers.get(kind)
    if (send) return send(id)
  }
  throw new Error(`No capability mails links of the kind ${kind}.`)
}

export const linkMail = defineJob('auth.link-mail')
  .input(LinkMailOrder)
  .handler((order, { db }) => sendLinkMail(db, order))
