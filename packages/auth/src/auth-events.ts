import { approvalChangedEvent } from './approvals/events.ts'
import * as events from './events.generated.ts'
import { keyRevokedEvent } from './events.ts'
import { supportEndedEvent, supportOpenedEvent } from './support/events.ts'

/** Every event of the service by its name in the code, as an event router takes them: `defineEventRouter(authEvents)`. */
export const authEvents = { ...events }

/** The events that the account pages follow. Stream them to the owner of the account alone, by `toOwners`. */
export const ownerEvents = {
  supportOpenedEvent,
  supportEndedEvent,
  keyRevokedEvent,
  approvalChangedEvent,
}
