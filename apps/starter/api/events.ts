import { ownerEvents } from '@svc/auth'
import {
  defineEvent,
  defineEventRouter,
  defineMessage,
  defineWebSocketRouter,
  t,
} from '@svc/core/contract'

export const noticePosted = defineEvent(
  'notice',
  t.Object({ id: t.String(), text: t.String(), author: t.String() }),
)

/**
 * A client that was away for up to ten minutes gets the events that it missed, from any instance.
 */
const history = { size: 1000, ttl: 600_000 }

/** What signed-in users may listen to: to notices all, and to what becomes of an account its owner. */
export const eventRouter = defineEventRouter({ notice: noticePosted, ...ownerEvents }, { history })

const echo = defineMessage(
  t.Object({ text: t.String({ maxLength: 500 }) }),
  ({ payload }) => payload,
)

/** The same over a WebSocket, which also answers the messages that clients send. */
export const socketRouter = defineWebSocketRouter({
  events: { notice: noticePosted },
  messages: { echo },
  history,
})
