import { payloadCheck } from '@svc/core'
import type { Delivery } from '../create-delivery.ts'
import { builtInTemplates } from '../templates/templates.ts'
import { type AnyMail, MailDataError, type Sending } from './mail.ts'
import { writeMail } from './words.ts'

/** A mail whose schema is compiled. */
export interface CompiledMail {
  readonly mail: AnyMail
  readonly check: (data: unknown) => unknown
}

/** Every mail by its name, which is all that the log and the mailbox show of it. */
export function compileMails(mails: readonly AnyMail[]) {
  const compiled = new Map<string, CompiledMail>()
  for (const mail of mails) {
    const { name, schema } = mail
    if (compiled.has(name)) throw new Error(`Two mails are named ${name}: rename one of them.`)
    if (Object.hasOwn(builtInTemplates, name)) {
      throw new Error(
        `${name} is a template of sign-in: rename the mail, or pass it as a template.`,
      )
    }
    const check = payloadCheck(schema, 'data', (fields) => new MailDataError(name, fields))
    compiled.set(name, { mail, check })
  }
  return compiled
}

/** The data as the queue's row will contain it: a `Date` is text then. */
export function asRead(data: unknown): unknown {
  return data === undefined ? undefined : JSON.parse(JSON.stringify(data))
}

/**
 * Writes a mail and sends it. The data is checked again, because the release that queued it may
 * have had another schema.
 */
export async function deliver(
  delivery: Delivery,
  { mail, check }: CompiledMail,
  { channel = 'mail', to, locale, data }: Sending<unknown>,
) {
  const checked = await check(data)
  await delivery.send({ channel, to, locale, template: mail.name }, (language) =>
    writeMail(mail.languages, checked, language),
  )
}
