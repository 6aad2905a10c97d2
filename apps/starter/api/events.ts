import { ownerEvents } from '@svc/auth'
import {
  defineChannel,
  defineEvent,
  defineEventRouter,
  defineMessage,
  defineWebSocketRouter,
  t,
} from '@svc/core/contract'

const Posted = t.Object({ id: t.String(), text: t.String(), author: t.String() })

export const noticePosted = defineEvent('notice', Posted)

/** The same on the board of an organization, to its members: the channel is named by its id. */
export const orgNoticePosted = defineChannel('org.notice', Posted)

/**
 * A client that was away for up to ten minutes gets the events that it missed, from any instance.
 */
const history = { size: 1000, ttl: 600_000 }

/** What signed-in users may listen to: to notices all, and to what becomes of an account its owner. */
export const eventRouter = defineEventRouter(
  { notice: noticePosted, orgNotice: orgNoticePosted, ...ownerEvents },
  { history },
)

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
