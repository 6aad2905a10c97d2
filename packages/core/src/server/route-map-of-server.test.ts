import { expect, it } from 'vitest'
import { t } from '../contract.ts'
import { defineServer } from '../definition/define-server.ts'
import { defineChannel } from '../events/channel.ts'
import { defineEvent } from '../events/event.ts'
import { defineEventRouter } from '../events/event-router.ts'
import { eventRouteMap } from '../events/token-path.ts'
import { defineWebSocketRouter } from '../events/web-socket-router.ts'
import { route } from '../routes/route.ts'
import { defineRouter } from '../routes/router.ts'
import { routeMapOfServer } from './route-map-of-server.ts'

const server = defineServer().routes(
  defineRouter({ getOrder: route.get('/orders/:id').handler(() => ({})) }),
)
const getOrder = { method: 'GET', path: '/orders/:id' }
const shipped = defineEvent('order.shipped')
const events = defineEventRouter({ shipped })
const auth = { enabled: true }

it('has the routes of the router, and eventsToken where streams need a token (E-051)', () => {
  expect(routeMapOfServer(server)).toEqual({ getOrder })
  expect(routeMapOfServer(server.events(events))).toEqual({ getOrder })
  expect(routeMapOfServer(server.events(events, { auth: { enabled: false } }))).toEqual({
    getOrder,
  })
  const { eventsToken } = eventRouteMap
  expect(routeMapOfServer(server.events(events, { auth }))).toEqual({ getOrder, eventsToken })
})

it('has eventsSubscribe where a stream can follow channels', () => {
  const changed = defineChannel('order.changed', t.Object({ status: t.String() }))
  const channels = defineEventRouter({ changed })
  expect(routeMapOfServer(server.events(channels, { auth }))).toEqual({
    getOrder,
    ...eventRouteMap,
  })
})

it('says where the token is issued', () => {
  const atPath = server.events(events, { path: '/sse', auth })
  const sockets = defineServer().websockets(defineWebSocketRouter({ events: { shipped } }), {
    auth,
  })
  expect(routeMapOfServer(atPath).eventsToken).toEqual({ method: 'POST', path: '/sse/token' })
  expect(routeMapOfServer(sockets).eventsToken).toEqual({ method: 'POST', path: '/events/token' })
})
