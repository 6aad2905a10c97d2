import type { Clock, Log } from '@svc/core'
import type { Channel, Message } from './delivery/message.ts'
import { failureOf, NotificationError } from './delivery/notification-error.ts'
import { isRecipient, redactedRecipient } from './delivery/recipient.ts'
import type { NotificationEnv } from './env.ts'
import { mailTransport } from './mail/mail-transport.ts'
import { isInCountries } from './sms/sms-countries.ts'
import { smsTransport } from './sms/sms-transport.ts'
import { inertFacts } from './templates/inert.ts'
import type { Content } from './templates/template.ts'
import {
  type FactsOf,
  type TemplateName,
  type Templates,
  templateOf,
} from './templates/templates.ts'

/** What is to be said, and to whom. */
export interface Notification<Name extends TemplateName> {
  channel: Channel
  to: string
  template: Name
  facts: FactsOf<Name>
  /**
   * A language tag of BCP 47; English where there is none, or no words for it. A promise of one is waited for as the
   * message itself is, by a shutdown too; it must not reject.
   */
  locale?: string | undefined | Promise<string | undefined>
}

export interface Notifier {
  /** Resolves when the message was taken over; throws a `NotificationError` when it was not. */
  send<Name extends TemplateName>(notification: Notification<Name>): Promise<void>
  /** False where the application turned the template off: a caller need not prepare its facts. */
  sends(template: TemplateName): boolean
  /** False for a number in a country to which no text messages are sent. */
  texts(number: string): boolean
  /** Waits for the messages that are under way. */
  close(): Promise<void>
}

interface Needs {
  env: NotificationEnv
  log: Log
  clock: Clock
  /** Templates that stand in for ours; null turns one off. */
  templates?: Templates
}

/** Sends mail and text messages to where the variables say. */
export function createNotifier({ env, log, clock, templates = {} }: Needs): Notifier {
  const transports = { mail: mailTransport(env), sms: smsTransport(env) }
  const texts = (number: string) => isInCountries(number, env.SVC_SMS_COUNTRIES)
  const underWay = new Set<Promise<void>>()

  async function deliver<Name extends TemplateName>(notification: Notification<Name>) {
    const { channel, to, template, facts, locale } = notification
    if (!isRecipient(channel, to)) {
      throw new NotificationError(notification, { code: 'INVALID_RECIPIENT' })
    }
    if (channel === 'sms' && !texts(to)) {
      throw new NotificationError(notification, { code: 'COUNTRY_NOT_ALLOWED' })
    }
    const told = { template, channel, to: redactedRecipient(channel, to) }
    const transport = transports[channel]
    if (transport === null) return log.info(told, 'notification dropped: this channel is none')

    const write = templateOf(template, templates)
    if (write === null) return log.info(told, 'notification dropped: its template is off')

    const content = write(inertFacts(facts), (await locale) ?? 'en')
    const message = messageOf(notification, content, clock.now())
    await transport(message).catch((thrown: unknown) => {
      throw new NotificationError(notification, failureOf(thrown))
    })
    log.info(told, 'notification sent')
  }

  return {
    send(notification) {
      const sending = deliver(notification).finally(() => underWay.delete(sending))
      underWay.add(sending)
      return sending
    },
    texts,
    sends: (template) => templateOf(template, templates) !== null,
    async close() {
      await Promise.allSettled(underWay)
    },
  }
}

function messageOf(
  { channel, to, template }: Notification<TemplateName>,
  { subject, text, html, short }: Content,
  now: Date,
): Message {
  const sentAt = now.toISOString()
  if (channel === 'sms') return { channel, to, text: short ?? text, template, sentAt }
  return { channel, to, subject, text, ...(html === undefined ? {} : { html }), template, sentAt }
}
