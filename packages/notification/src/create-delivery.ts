import type { Clock, Log } from '@svc/core'
import { type Channel, isRecipient, type Message, redactedRecipient } from './delivery/delivery.ts'
import { failureOf, NotificationError } from './delivery/errors.ts'
import type { NotificationEnv } from './env.ts'
import { mailTransport } from './mail/mail.ts'
import { isInCountries } from './sms/env.ts'
import { smsTransport } from './sms/sms.ts'
import { brandWriter, type Content, type MailBrand } from './templates/templates.ts'

/** The recipient of a message, and its language. */
export interface Addressed {
  channel: Channel
  to: string
  /** The name of the template or mail, for the log. */
  template: string
  locale?: string | undefined | Promise<string | undefined>
}

/** Writes a message in a language; null if the application has turned it off. */
type Write = ((locale: string) => Content) | null

export interface DeliveryNeeds {
  env: NotificationEnv
  log: Log
  clock: Clock
  /** Above each mail of our design. */
  brand?: MailBrand | undefined
}

export type Delivery = ReturnType<typeof createDelivery>

/**
 * Sends every message: decides whether it may go out, where it goes, and what the log says of it.
 */
export function createDelivery({ env, log, clock, brand }: DeliveryNeeds) {
  const branded = brandWriter(brand)
  const transports = { mail: mailTransport(env), sms: smsTransport(env) }
  /** False for a number in a country to which no text messages are sent. */
  const texts = (number: string) => isInCountries(number, env.SVC_SMS_COUNTRIES)
  const underWay = new Set<Promise<void>>()

  /** Throws if nothing can ever be sent to this recipient. */
  function checkRecipient(addressed: Addressed) {
    const { channel, to } = addressed
    if (!isRecipient(channel, to)) {
      throw new NotificationError(addressed, { code: 'INVALID_RECIPIENT' })
    }
    if (channel === 'sms' && !texts(to)) {
      throw new NotificationError(addressed, { code: 'COUNTRY_NOT_ALLOWED' })
    }
  }

  async function deliver(addressed: Addressed, write: Write) {
    checkRecipient(addressed)
    const { channel, to, template, locale } = addressed
    const told = { template, channel, to: redactedRecipient(channel, to) }
    const transport = transports[channel]
    if (transport === null)
      return log.info(told, 'notification dropped: the URL of its channel is none')
    if (write === null) return log.info(told, 'notification dropped: its template is off')

    const content = write((await locale) ?? 'en')
    const written = channel === 'mail' ? branded(content) : content
    const message = messageOf(addressed, written, clock.now())
    await transport(message).catch((thrown: unknown) => {
      throw new NotificationError(addressed, failureOf(thrown))
    })
    log.info(told, 'notification sent')
  }

  /** Resolves when the message was taken over. Throws a `NotificationError` if it was not. */
  function send(addressed: Addressed, write: Write): Promise<void> {
    const sending = deliver(addressed, write).finally(() => underWay.delete(sending))
    underWay.add(sending)
    return sending
  }

  /** Waits for the messages that are being sent. */
  async function close() {
    await Promise.allSettled(underWay)
  }

  return { checkRecipient, texts, send, close }
}

function messageOf(
  { channel, to, template }: Addressed,
  { subject, text, html, short }: Content,
  now: Date,
): Message {
  const sentAt = now.toISOString()
  if (channel === 'sms') return { channel, to, text: short ?? text, template, sentAt }
  return { channel, to, subject, text, ...(html === undefined ? {} : { html }), template, sentAt }
}
