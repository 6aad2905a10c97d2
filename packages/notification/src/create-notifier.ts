import { createDelivery, type DeliveryNeeds } from './create-delivery.ts'
import type { Channel } from './delivery/delivery.ts'
import {
  type FactsOf,
  inertFacts,
  type TemplateName,
  type Templates,
  templateOf,
} from './templates/templates.ts'

/** What to say, and to which recipient. */
export interface Notification<Name extends TemplateName> {
  channel: Channel
  to: string
  template: Name
  facts: FactsOf<Name>
  /**
   * A language tag of BCP 47. English if there is none, or if there are no words for it. It may be
   * a promise, which must not reject: a shutdown waits for it as for the message itself.
   */
  locale?: string | undefined | Promise<string | undefined>
}

/** Sends the messages of sign-in as mail or as text messages. `createNotifier` makes it. */
export interface Notifier {
  /** Resolves when the message was taken over. Throws a `NotificationError` if it was not. */
  send<Name extends TemplateName>(notification: Notification<Name>): Promise<void>
  /** False if the application has turned the template off. Then you need not prepare its facts. */
  sends(template: TemplateName): boolean
  /** False for a number in a country to which no text messages are sent. */
  texts(number: string): boolean
  /** Waits for the messages that are being sent. */
  close(): Promise<void>
}

interface Needs extends DeliveryNeeds {
  /** Templates that replace ours; null turns one off. */
  templates?: Templates
}

/** Sends mail and text messages as the variables say. */
export function createNotifier({ templates = {}, ...needs }: Needs): Notifier {
  const { send, texts, close } = createDelivery(needs)
  return {
    send(notification) {
      const { template, facts } = notification
      const write = templateOf(template, templates)
      return send(notification, write && ((locale) => write(inertFacts(facts), locale)))
    },
    sends: (template) => templateOf(template, templates) !== null,
    texts,
    close,
  }
}
