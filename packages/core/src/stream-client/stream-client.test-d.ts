import { describe, expectTypeOf, it } from 'vitest'
import { t } from '../contract.ts'
import { defineChannel } from '../events/channel.ts'
import { defineEvent } from '../events/event.ts'
import { defineEventRouter } from '../events/event-router.ts'
import { defineMessage, defineWebSocketRouter } from '../events/web-socket-router.ts'
import { createAuthSSEClient } from './create-auth-sse-client.ts'
import { createSSEClient } from './create-sse-client.ts'
import { createWSClient } from './create-ws-client.ts'
import type { SSEMessage, StreamGap, StreamState } from './notice.ts'
import type { ChannelPresence } from './presence.ts'

const events = {
  shipped: defineEvent(
    'order.shipped',
    t.Object({ orderId: t.String(), lines: t.Array(t.Integer()) }),
  ),
  started: defineEvent('server.started'),
  measured: defineEvent('measured', t.Unsafe<{ at: Date; value?: number }>({})),
}
const _eventRouter = defineEventRouter(events)
const _socketRouter = defineWebSocketRouter({
  events,
  messages: {
    rename: defineMessage(t.Object({ name: t.String() }), async ({ payload }) => ({
      ...payload,
      at: new Date(),
    })),
    leave: defineMessage(t.Integer(), () => {}),
    whoAmI: ({ subject }: { subject?: string }) => subject ?? 'unknown',
    shout: ({ payload }: { payload: { text: string } }) => payload.text.length,
  },
})

describe('channels', () => {
  const changed = defineChannel('order.changed', t.Object({ status: t.String() }))
  const _router = defineEventRouter({ ...events, changed })
  const client = createSSEClient<typeof _router>()

  it('have handlers by their resource, which get what is said of it', () => {
    client.subscribe({
      handlers: {},
      channels: {
        changed: { o1: (data) => expectTypeOf(data).toEqualTypeOf<{ status: string }>() },
      },
    })
    // @ts-expect-error: it is no channel
    client.subscribe({ handlers: {}, channels: { shipped: {} } })
    // @ts-expect-error: a channel is followed for a resource
    client.subscribe({ handlers: { changed: () => {} } })
  })
})

describe('follow and leave', () => {
  const _router = defineEventRouter({
    ...events,
    changed: defineChannel('order.changed', t.Object({ status: t.String() })),
    said: defineChannel('room.said', t.Object({ text: t.String() }), { presence: true }),
  })
  const _sockets = defineWebSocketRouter({ events: _router.events })
  const sse = createSSEClient<typeof _router>()
  const socket = createWSClient<typeof _sockets>()

  it('take handlers as subscribe does', () => {
    const followed = sse.follow({
      handlers: { started: (payload) => expectTypeOf(payload).toEqualTypeOf<null>() },
      channels: {
        changed: { o1: (data) => expectTypeOf(data).toEqualTypeOf<{ status: string }>() },
      },
      presence: { said: { r1: (now) => expectTypeOf(now).toEqualTypeOf<ChannelPresence>() } },
    })
    expectTypeOf(followed).toEqualTypeOf<Promise<void>>()
    void socket.follow({
      channels: { said: { r1: ({ text }) => expectTypeOf(text).toEqualTypeOf<string>() } },
    })
    // @ts-expect-error: there is no such channel
    void sse.follow({ channels: { chnaged: { o1: () => {} } } })
    // @ts-expect-error: it is no channel
    void socket.follow({ channels: { shipped: { o1: () => {} } } })
    // @ts-expect-error: it does not tell who follows it
    void sse.follow({ presence: { changed: { o1: () => {} } } })
    // @ts-expect-error: there is no such event
    void sse.follow({ handlers: { lost: () => {} } })
  })

  it('take the names alone to leave', () => {
    expectTypeOf(sse.leave({ events: ['started'] })).toEqualTypeOf<Promise<void>>()
    void socket.leave({ channels: { changed: ['o1', 'o2'], said: [] } })
    // @ts-expect-error: there is no such channel
    void sse.leave({ channels: { chnaged: ['o1'] } })
    // @ts-expect-error: it is a channel
    void socket.leave({ events: ['changed'] })
  })
})

describe('handlers', () => {
  const client = createSSEClient<typeof _eventRouter>()

  it('get their payloads as JSON makes them', () => {
    client.subscribe({
      handlers: {
        shipped: (payload, message) => {
          expectTypeOf(payload).toEqualTypeOf<{ orderId: string; lines: number[] }>()
          expectTypeOf(message).toEqualTypeOf<SSEMessage<{ orderId: string; lines: number[] }>>()
        },
        measured: ({ at, value }) => {
          expectTypeOf(at).toEqualTypeOf<string>()
          expectTypeOf(value).toEqualTypeOf<number | undefined>()
        },
        started: (payload) => expectTypeOf(payload).toEqualTypeOf<null>(),
      },
    })
  })

  it('are of the router’s events, as are the names', () => {
    client.subscribe({ events: ['shipped'], handlers: {} })
    // @ts-expect-error: the event's own name is not the router's key
    client.subscribe({ events: ['order.shipped'], handlers: {} })
    // @ts-expect-error: there is no such event
    client.subscribe({ handlers: { lost: () => {} } })
  })
})

describe('channels', () => {
  const _channels = defineEventRouter({
    started: defineEvent('server.started'),
    changed: defineChannel('order.changed', t.Object({ status: t.String() })),
    said: defineChannel('room.said', t.Object({ text: t.String() }), { presence: true }),
  })
  const client = createSSEClient<typeof _channels>()

  it('tell who follows them where they know', () => {
    const id = String(Math.random())
    client.subscribe({
      handlers: {},
      presence: {
        said: {
          r1: (now) => expectTypeOf(now).toEqualTypeOf<ChannelPresence>(),
          [id]: ({ present }) => expectTypeOf(present).toEqualTypeOf<readonly string[]>(),
        },
      },
    })
    // @ts-expect-error: it does not tell who follows it
    client.subscribe({ handlers: {}, presence: { changed: { o1: () => {} } } })
    // @ts-expect-error: without a resource
    client.subscribe({ handlers: {}, presence: { said: () => {} } })
  })
})

describe('a client', () => {
  it('has a state, and ends by what subscribe answers', () => {
    const client = createAuthSSEClient<typeof _eventRouter>({ rpcBaseUrl: '/rpc' })
    expectTypeOf(client.getState()).toEqualTypeOf<StreamState>()
    expectTypeOf(client.subscribe({ handlers: {} })).toEqualTypeOf<() => void>()
    client.subscribe({
      handlers: {},
      onOpen: ({ recovered, reason }) => {
        expectTypeOf(recovered).toEqualTypeOf<boolean>()
        expectTypeOf(reason).toEqualTypeOf<'expired' | 'unknown' | undefined>()
      },
      onGap: (gap) => expectTypeOf(gap).toEqualTypeOf<StreamGap>(),
    })
    expectTypeOf<StreamGap>().toEqualTypeOf<{ readonly reason: string }>()
    // @ts-expect-error: an event stream does not send
    void client.send
  })

  it('that is signed in tells whose stream its tabs share', () => {
    createAuthSSEClient<typeof _eventRouter>({ shareAcrossTabs: 'u1' })
    // @ts-expect-error: a stream of no user would be shared with another user
    createAuthSSEClient<typeof _eventRouter>({ shareAcrossTabs: true })
  })
})

describe('messages', () => {
  const client = createWSClient<typeof _socketRouter>()

  it('are sent as their schemas take them', () => {
    client.send('rename', { name: 'x' })
    client.send('leave', 1000)
    client.send('whoAmI')
    client.send('shout', { text: 'x' })
    // @ts-expect-error: the payload is missing
    client.send('rename')
    // @ts-expect-error: of another type
    client.send('rename', { name: 7 })
    // @ts-expect-error: of another type
    client.send('shout', 7)
    // @ts-expect-error: there is no such message
    client.send('shipped', {})
  })

  it('come back as JSON makes them', () => {
    client.subscribe({
      handlers: { shipped: ({ orderId }) => expectTypeOf(orderId).toEqualTypeOf<string>() },
      replies: {
        rename: (reply) => expectTypeOf(reply).toEqualTypeOf<{ name: string; at: string }>(),
        whoAmI: (reply) => expectTypeOf(reply).toEqualTypeOf<string>(),
        shout: (reply) => expectTypeOf(reply).toEqualTypeOf<number>(),
      },
    })
    // @ts-expect-error: an event is no message
    client.subscribe({ handlers: {}, replies: { shipped: () => {} } })
  })
})
