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

/** What every signed-in user may listen to. */
export const eventRouter = defineEventRouter({ notice: noticePosted })

const echo = defineMessage(
  t.Object({ text: t.String({ maxLength: 500 }) }),
  ({ payload }) => payload,
)

/** The same over a WebSocket, which answers what is sent to it. */
export const socketRouter = defineWebSocketRouter({
  events: { notice: noticePosted },
  messages: { echo },
})
