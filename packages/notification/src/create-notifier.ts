import type { Clock, Log } from '@svc/core'
import type { Channel, Message } from './delivery/message.ts'
import { failureOf, NotificationError } from './delivery/notification-error.ts'
import { isRecipient, redactedRecipient } from './delivery/recipient.ts'
import type { NotificationEnv } from './env.ts'
import { mailTransport } from './mail/mail-transport.ts'
import { smsTransport } from './sms/sms-transport.ts'
import { inertFacts } from './templates/inert.ts'
import type { Content, Template } from './templates/template.ts'
import {
  builtInTemplates,
  type FactsOf,
  type TemplateName,
  type Templates,
} from './templates/templates.ts'

/** What is to be said, and to whom. */
export interface Notification<Name extends TemplateName> {
  channel: Channel
  to: string
  template: Name
  facts: FactsOf<Name>
  /** A language tag of BCP 47; English where there is none, or no words for it. */
  locale?: string | undefined
}

export interface Notifier {
  /** Resolves when the message was taken over; throws a `NotificationError` when it was not. */
  send<Name extends TemplateName>(notification: Notification<Name>): Promise<void>
  /** Waits for the messages that are under way. */
  close(): Promise<void>
}

interface Needs {
  env: NotificationEnv
  log: Log
  clock: Clock
  /** Templates that stand in for ours. */
  templates?: Partial<Templates>
}

/** Sends mail and text messages to where the variables say. */
export function createNotifier({ env, log, clock, templates }: Needs): Notifier {
  const transports = { mail: mailTransport(env), sms: smsTransport(env) }
  const written = { ...builtInTemplates, ...templates }
  const underWay = new Set<Promise<void>>()

  function contentOf<Name extends TemplateName>({ template, facts, locale }: Notification<Name>) {
    // Read with a type parameter, the record no longer keeps a name and its facts together.
    const write = written[template] as Template<FactsOf<Name>>
    return write(inertFacts(facts), locale ?? 'en')
  }

  async function deliver<Name extends TemplateName>(notification: Notification<Name>) {
    const { channel, to, template } = notification
    if (!isRecipient(channel, to)) {
      throw new NotificationError(notification, { code: 'INVALID_RECIPIENT' })
    }
    const told = { template, channel, to: redactedRecipient(channel, to) }
    const transport = transports[channel]
    if (transport === null) return log.info(told, 'notification dropped: this channel is none')

    const content = contentOf(notification)
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
