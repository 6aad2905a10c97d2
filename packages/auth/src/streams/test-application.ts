import {
  defineEvent,
  defineEventRouter,
  defineRouter,
  defineServer,
  type EventStreamOptions,
  type Router,
  t,
} from '@svc/core'
import { authenticate } from '../authenticate/authenticate.ts'
import { createAuthLifecycle } from '../lifecycle.ts'
import { authRouter } from '../router.ts'

const text = t.Object({ to: t.Optional(t.String()), text: t.String() })

export const noticeEvent = defineEvent('test.notice', text)
export const orderEvent = defineEvent('test.order', text)

const eventRouter = defineEventRouter({ notice: noticeEvent, order: orderEvent })

type Auth = EventStreamOptions<(typeof eventRouter)['events']>['auth']

/** An application with sign-in and streams of two events. */
export function streamingApplication(
  auth: Partial<NonNullable<Auth>> = {},
  router: Router = defineRouter({}),
) {
  return defineServer()
    .routes(router.packages([authRouter]).use([authenticate]))
    .lifecycle(createAuthLifecycle())
    .events(eventRouter, { auth: { enabled: true, ...auth } })
}
