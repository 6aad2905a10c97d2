import specifications from '@asyncapi/specs'
import { Compile } from 'typebox/schema'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { t } from '../contract.ts'
import { defineServer } from '../definition/define-server.ts'
import { defineChannel } from '../events/channel.ts'
import { defineEvent } from '../events/event.ts'
import { defineEventRouter } from '../events/event-router.ts'
import { defineMessage, defineWebSocketRouter } from '../events/web-socket-router.ts'
import { asyncApi } from './asyncapi.ts'

const official = Compile(specifications.schemasWithoutId['3.0.0'])

const info = { title: 'orders', version: '1.2.0' }
const orderShipped = defineEvent('order.shipped', t.Object({ orderId: t.String() }))
const restarted = defineEvent('server.restarted')
const echo = defineMessage(t.Object({ text: t.String() }), ({ payload }) => payload)
const events = defineEventRouter({ orderShipped, restarted })
const sockets = defineWebSocketRouter({
  events: { orderShipped },
  messages: { echo, wave: () => undefined },
})

interface Document {
  servers: Record<string, unknown>
  channels: Record<
    string,
    { messages: Record<string, { $ref: string }>; [member: string]: unknown }
  >
  operations: Record<string, { messages: { $ref: string }[]; [member: string]: unknown }>
  components: {
    messages: Record<string, { name: string; payload: object }>
    securitySchemes: Record<string, { description: string }>
  }
}

/** The document, which is valid and refers to nothing that it does not have. */
function documentOf({ settings }: ReturnType<typeof defineServer>, given: object = {}): Document {
  const document = JSON.parse(JSON.stringify(asyncApi(settings, { ...info, ...given })))
  expect(official.Check(document), JSON.stringify(official.Errors(document)[1][0])).toBe(true)
  for (const $ref of referencesIn(document)) expect(at(document, $ref), $ref).toBeDefined()
  return document
}

function referencesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  const inner = Object.values(value).flatMap(referencesIn)
  return '$ref' in value && typeof value.$ref === 'string' ? [value.$ref, ...inner] : inner
}

function at(document: unknown, $ref: string) {
  expect($ref).toMatch(/^#\//)
  const names = decodeURIComponent($ref).slice(2).split('/')
  return names.reduce<unknown>((value, name) => {
    const member = name.replaceAll('~1', '/').replaceAll('~0', '~')
    return (value as Record<string, unknown> | undefined)?.[member]
  }, document)
}

describe('the AsyncAPI document', () => {
  it('is refused by the official schema when it is none', () => {
    const document = asyncApi(defineServer().events(events).settings, info)
    expect(official.Check({ ...document, asyncapi: '2.6.0' })).toBe(false)
    expect(official.Check({ ...document, channels: { stream: { path: '/' } } })).toBe(false)
  })

  it('describes an event stream: address, query, and a message for each event', () => {
    const { servers, channels, operations, components } = documentOf(defineServer().events(events))
    expect(servers).toEqual({ http: { host: 'localhost:8790', protocol: 'http' } })
    expect(Object.keys(channels)).toEqual(['stream'])
    expect(channels.stream).toMatchObject({ address: '/events/stream', bindings: { http: {} } })
    expect(operations).toMatchObject({
      'stream.send': {
        action: 'send',
        bindings: { http: { query: { required: ['events'], properties: { events: {} } } } },
      },
    })
    expect(components.messages).toMatchObject({
      orderShipped: {
        name: 'orderShipped',
        title: 'order.shipped',
        payload: { type: 'object', properties: { orderId: { type: 'string' } } },
      },
      restarted: { name: 'restarted', payload: { type: 'null' } },
      connected: { payload: { required: ['events', 'timestamp'] } },
      gap: { payload: { required: ['reason'] } },
      ping: { payload: { required: ['timestamp'] } },
    })
    expect(components.securitySchemes).toEqual({})
  })

  it('says how a stream is resumed, and where its ids are, where the router has a history', () => {
    const history = { size: 10, ttl: 1000 }
    const settings = (options: object) =>
      defineServer()
        .events(defineEventRouter({ restarted }, options))
        .websockets(
          defineWebSocketRouter({ events: { restarted }, messages: { echo }, ...options }),
        )
    const kept = documentOf(settings({ history }))
    const query = { properties: { lastEventId: { type: 'string' } } }
    expect(kept.channels).toMatchObject({
      stream: { description: expect.stringContaining('Last-Event-ID') },
      socket: { description: expect.stringContaining('"id"'), bindings: { ws: { query } } },
    })
    expect(kept.operations['stream.send']).toMatchObject({ bindings: { http: { query } } })
    expect(kept.components.messages.connected).toMatchObject({
      payload: { properties: { recovered: {}, reason: { enum: ['expired', 'unknown'] } } },
    })

    const { channels, operations } = documentOf(settings({}))
    for (const each of [channels, operations['stream.send']]) {
      expect(JSON.stringify(each)).not.toMatch(/lastEventId|Last-Event-ID/)
    }
  })

  it('describes a WebSocket: events, messages of clients, and their replies', () => {
    const { servers, channels, operations, components } = documentOf(
      defineServer().websockets(sockets, { path: '/live' }),
    )
    expect(servers).toEqual({ ws: { host: 'localhost:8790', protocol: 'ws' } })
    expect(channels.socket).toMatchObject({
      address: '/live',
      bindings: { ws: { headers: { properties: { 'Sec-WebSocket-Protocol': {} } } } },
    })
    expect(operations['socket.receive.echo']).toMatchObject({
      action: 'receive',
      messages: [{ $ref: '#/channels/socket/messages/echo' }],
      reply: {
        messages: [
          { $ref: '#/channels/socket/messages/echo.reply' },
          { $ref: '#/channels/socket/messages/error' },
        ],
      },
    })
    expect(components.messages).toMatchObject({
      echo: { name: 'echo', payload: { properties: { text: { type: 'string' } } } },
      'echo.reply': { name: 'echo', payload: {} },
      wave: { name: 'wave', payload: {} },
      error: { payload: { required: ['code', 'message'] } },
    })
  })

  it('has an event that both routers have once', () => {
    const { channels, components } = documentOf(defineServer().events(events).websockets(sockets))
    const shared = { $ref: '#/components/messages/orderShipped' }
    expect(channels.stream?.messages.orderShipped).toEqual(shared)
    expect(channels.socket?.messages.orderShipped).toEqual(shared)
    expect(Object.keys(components.messages).join(' ')).toBe(
      'orderShipped restarted connected gap ping error echo echo.reply wave wave.reply',
    )
  })

  it('describes who follows a channel, where a router tells it', () => {
    const room = defineChannel('room.said', t.Null(), { presence: true })
    const auth = { enabled: true, channels: { room: () => true } }
    const { channels, components } = documentOf(
      defineServer()
        .events(defineEventRouter({ room }), { auth })
        .websockets(defineWebSocketRouter({ events: { room } })),
    )
    const { presence } = components.messages
    for (const told of [{ present: ['u1'] }, { joined: ['u1'] }, { left: [] }]) {
      expect(Compile(presence?.payload ?? {}).Check({ channel: 'room:1', ...told })).toBe(true)
    }
    expect(Compile(presence?.payload ?? {}).Check({ channel: 'room:1' })).toBe(false)
    expect([channels.stream?.messages.presence, channels.socket?.messages.presence]).toEqual([
      { $ref: '#/components/messages/presence' },
      { $ref: '#/components/messages/presence' },
    ])
    expect(documentOf(defineServer().events(events)).components.messages.presence).toBeUndefined()
  })

  it('keeps messages of one name apart', () => {
    const other = defineEvent('other', t.Object({ text: t.String() }))
    const { channels, components } = documentOf(
      defineServer()
        .events(defineEventRouter({ tick: restarted, 'a b': restarted, a_b: restarted }))
        .websockets(defineWebSocketRouter({ events: { tick: other }, messages: { echo } })),
    )
    const names = (channel: string) =>
      Object.values(channels[channel]?.messages ?? {}).map(
        ({ $ref }) => (at({ components }, $ref) as { name: string }).name,
      )
    expect(names('stream')).toEqual(['tick', 'a b', 'a_b', 'connected', 'gap', 'ping'])
    expect(names('socket')).toEqual(['tick', 'connected', 'gap', 'ping', 'error', 'echo', 'echo'])
    expect(Object.keys(components.messages)).toEqual([
      'tick',
      'a_b',
      'a_b-2',
      'connected',
      'gap',
      'ping',
      'error',
      'tick-2',
      'echo',
      'echo.reply',
    ])
  })

  it('says how a token is got and shown, where streams need one', () => {
    const auth = { enabled: true }
    const { operations, components } = documentOf(
      defineServer().events(events, { path: '/sse', auth }).websockets(sockets),
    )
    expect(Object.keys(components.securitySchemes)).toEqual(['tokenInQuery', 'tokenAsSubprotocol'])
    expect(components.securitySchemes.tokenInQuery?.description).toContain('POST /sse/token')
    expect(operations).toMatchObject({
      'stream.send': {
        security: [{ $ref: '#/components/securitySchemes/tokenInQuery' }],
        bindings: { http: { query: { required: ['events', 'token'] } } },
      },
      'socket.send': { security: [{}, {}] },
      'socket.receive.echo': { security: [{}, {}] },
    })
  })

  it('says where the API is', () => {
    const both = defineServer().events(events).websockets(sockets)
    expect(documentOf(both, { url: 'https://example.com/api' }).servers).toEqual({
      http: { host: 'example.com', pathname: '/api', protocol: 'https' },
      ws: { host: 'example.com', pathname: '/api', protocol: 'wss' },
    })
  })

  it('describes what Standard Schema makes of a payload, and takes from a client what it is given', () => {
    const counted = z.object({ count: z.string().transform(Number).pipe(z.number()) })
    const { components } = documentOf(
      defineServer().websockets(
        defineWebSocketRouter({
          events: { counted: defineEvent('counted', counted), dated: defineEvent('d', z.date()) },
          messages: { count: defineMessage(counted, () => undefined) },
        }),
      ),
    )
    expect(components.messages).toMatchObject({
      counted: { payload: { properties: { count: { type: 'number' } } } },
      count: { payload: { properties: { count: { type: 'string' } } } },
      // Nothing says what a date is in JSON.
      dated: { payload: {} },
    })
  })

  it('finds the definitions of a schema where they have gone with it', () => {
    const branch = z.object({
      name: z.string(),
      get branches() {
        return z.array(branch)
      },
    })
    const tree = t.Cyclic(
      { Tree: t.Object({ name: t.String(), trees: t.Array(t.Ref('Tree')) }) },
      'Tree',
    )
    const { components } = documentOf(
      defineServer().events(
        defineEventRouter({
          grown: defineEvent('grown', branch),
          pruned: defineEvent('pruned', z.tuple([z.string(), branch])),
          felled: defineEvent('felled', tree),
        }),
      ),
    )
    const place = '#/components/messages'
    expect(components.messages).toMatchObject({
      grown: {
        payload: { properties: { branches: { items: { $ref: `${place}/grown/payload` } } } },
      },
      felled: { payload: { allOf: [{ $ref: `${place}/felled/payload/$defs/Tree` }] } },
    })
    expect(JSON.stringify(components)).not.toContain('$id')
  })
})
