import { type Db, defineJob, homeOf, type Lifecycle, type OutputOf, t } from '@svc/core'
import { createDelivery, type Delivery } from '../create-delivery.ts'
import { readNotificationEnv } from '../env.ts'
import type { MailBrand } from '../templates/templates.ts'
import { asRead, type CompiledMail, compileMails, deliver } from './compiled-mail.ts'
import type { AnyMail, Outbox } from './mail.ts'

export { type AnyMail, defineMail, Mail, MailDataError, type Sending } from './mail.ts'
export type { Words, Written } from './words.ts'

const Queued = t.Object({
  mail: t.String(),
  channel: t.Union([t.Literal('mail'), t.Literal('sms')]),
  to: t.String(),
  locale: t.Optional(t.String()),
  data: t.Unknown(),
})
type Queued = OutputOf<typeof Queued>

interface MailLifecycleOptions {
  /** The name of the lifecycle and its queue, for a package with mails of its own. */
  name?: string
  /** The name and the logo of your product, above each mail. */
  brand?: MailBrand | undefined
}

/** Sends the application's mails while a server runs: `.lifecycle(createMailLifecycle([orderShipped]))`. */
export function createMailLifecycle(
  mails: readonly AnyMail[],
  { name = 'notification.mail', brand }: MailLifecycleOptions = {},
): Lifecycle {
  const compiled = compileMails(mails)
  const deliveries = new WeakMap<Db, Delivery>()

  const queue = defineJob(name)
    .input(Queued)
    .handler(async ({ mail: asked, ...sending }, { db }) => {
      const mail = compiled.get(asked)
      // An instance of the release that has this mail will get the row when it is retried.
      if (!mail) throw new Error(`This release has no mail named ${asked}.`)
      // Jobs start after the hook below, on its database.
      await deliver(deliveries.get(homeOf(db)) as Delivery, mail, sending)
    })

  return {
    name: name === 'notification.mail' ? 'svc-notification' : name,
    jobs: { [name]: queue },
    validateEnvironment: (source) => void readNotificationEnv(source),
    afterInfrastructure({ database, log, clock }, source) {
      if (!database)
        throw new Error('Mail waits in the database until it is sent: set DATABASE_URL.')
      const delivery = createDelivery({ env: readNotificationEnv(source), log, clock, brand })
      deliveries.set(database.db, delivery)
      const enqueue = (row: Queued) => queue.enqueue(row)
      const unbind = [...compiled.values()].map((each) =>
        each.mail['~bind'](database, createOutbox(each, { delivery, enqueue })),
      )
      return async () => {
        for (const each of unbind) each()
        await delivery.close()
      }
    },
  }
}

interface Needs {
  delivery: Delivery
  enqueue: (row: Queued) => Promise<void>
}

function createOutbox(compiled: CompiledMail, { delivery, enqueue }: Needs): Outbox {
  const { name } = compiled.mail
  return {
    async queue({ channel = 'mail', to, locale, data }) {
      // The caller must learn about a message that can never be sent. Retrying it would not help.
      delivery.checkRecipient({ channel, to, template: name })
      await compiled.check(asRead(data))
      await enqueue({ mail: name, channel, to, data, ...(locale !== undefined && { locale }) })
    },
    deliver: ({ data, ...sending }) =>
      deliver(delivery, compiled, { ...sending, data: asRead(data) }),
  }
}
