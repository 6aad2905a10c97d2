import { createDelivery, type DeliveryNeeds } from './create-delivery.ts'
import type { Channel } from './delivery/delivery.ts'
import {
  type FactsOf,
  inertFacts,
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

interface Needs extends DeliveryNeeds {
  /** Templates that stand in for ours; null turns one off. */
  templates?: Templates
}

/** Sends mail and text messages to where the variables say. */
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
