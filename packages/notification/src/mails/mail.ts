import {
  type AnySchema,
  currentDb,
  type Database,
  type InputOf,
  type InvalidField,
  type OutputOf,
} from '@svc/core'
import type { Channel } from '../delivery/delivery.ts'
import type { Languages } from './words.ts'

/** One message: its recipient and its content. */
export interface Sending<Given> {
  /** An address; with `channel: 'sms'` a number such as `+821012345678`. */
  to: string
  /** The data for the mail's schema. */
  data: Given
  /**
   * A language tag of BCP 47, such as `ko-KR`. English unless set, or if the mail has no words for
   * it.
   */
  locale?: string | undefined
  /** `mail` unless set. */
  channel?: Channel
}

/** Sends a mail while a server runs. */
export interface Outbox {
  queue(sending: Sending<unknown>): Promise<void>
  deliver(sending: Sending<unknown>): Promise<void>
}

interface Bound {
  readonly database: Pick<Database, 'db' | 'url'>
  readonly outbox: Outbox
}

/** A mail of any data, as `defineMail` returns it. */
// oxlint-disable-next-line typescript/no-explicit-any -- the parameter of its words is contravariant
export type AnyMail = Mail<any, any>

/** A mail of an application, by name. */
export class Mail<Data = unknown, Given = Data> {
  readonly name: string
  readonly schema: AnySchema
  readonly languages: Languages<Data>
  /** @internal Never set: carries the type of a sender's data. */
  declare readonly '~given': Given
  readonly #outboxes: Bound[] = []

  constructor(name: string, schema: AnySchema, languages: Languages<Data>) {
    this.name = name
    this.schema = schema
    this.languages = languages
  }

  /**
   * Queues the message, in the open transaction if there is one: a rollback drops it, a commit
   * sends it. It is retried until it is sent, so the data waits in the database: put no secret in
   * it.
   */
  async send(sending: Sending<Given>): Promise<void> {
    await this.#outbox().queue(sending)
  }

  /**
   * Sends the message at once and stores nothing of it: for a job that makes a secret, such as a
   * one-time link. Throws a `NotificationError` if it was not sent.
   */
  async sendNow(sending: Sending<Given>): Promise<void> {
    await this.#outbox().deliver(sending)
  }

  /** @internal A mail is a value of the application's, so a server tells it on start where it goes. */
  '~bind'(database: Pick<Database, 'db' | 'url'>, outbox: Outbox) {
    const bound = { database, outbox }
    this.#outboxes.push(bound)
    return () => void this.#outboxes.splice(this.#outboxes.indexOf(bound), 1)
  }

  /**
   * The outbox of the server that this request, job or transaction belongs to, else of the only one
   * that can be meant.
   */
  #outbox() {
    const db = currentDb()
    const meant = this.#outboxes.filter(({ database }) => !db || database.db === db)
    const databases = new Set(meant.map(({ database }) => database.url))
    if (databases.size > 1) {
      throw new Error(
        `${databases.size} applications of this process have the mail ${this.name}. Send it in a request, a job or a transaction of the one that is to send it, or in its server's within().`,
      )
    }
    const last = meant.at(-1)
    if (last) return last.outbox
    throw new Error(
      `No running server has the mail ${this.name}: pass it to createMailLifecycle, and that to the server's .lifecycle().`,
    )
  }
}

/**
 * Defines a mail: `defineMail('welcome', t.Object({ name: t.String() }), { en: ({ name }) => ({ subject, body }) })`.
 */
export function defineMail<Schema extends AnySchema>(
  name: string,
  schema: Schema,
  languages: Languages<OutputOf<Schema>>,
): Mail<OutputOf<Schema>, InputOf<Schema>> {
  return new Mail(name, schema, languages)
}

/** The schema of a mail refuses its data, when it is sent or when it is read from the queue. */
export class MailDataError extends Error {
  override readonly name = 'MailDataError'
  readonly mail: string
  readonly fields: InvalidField[]

  constructor(mail: string, fields: InvalidField[]) {
    const faults = fields.map(({ path, message }) => `${path} ${message}`)
    super(`The data of mail ${mail} does not match its schema: ${faults.join('; ')}.`)
    this.mail = mail
    this.fields = fields
  }
}
