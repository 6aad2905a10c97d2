import { describe, expect, it } from 'vitest'
import { defineServer } from '../../definition/define-server.ts'
import { defineEvent } from '../../events/event.ts'
import { defineEventRouter } from '../../events/event-router.ts'
import { defineWebSocketRouter } from '../../events/web-socket-router.ts'
import { startTestServer } from '../../testing/test-server.ts'

const events = { tick: defineEvent('tick') }

describe('options of streams', () => {
  it.each([
    ['.events(…): pingInterval', { pingInterval: 0 }],
    ['.events(…): pingInterval', { pingInterval: Infinity }],
    ['.events(…): maxAge', { maxAge: 2 ** 31 }],
    ['.events(…): maxQueue', { maxQueue: 1.5 }],
    ['.events(…): maxConnections', { maxConnections: 0 }],
    ['.events(…): maxConnectionsPerSubject', { maxConnectionsPerSubject: -1 }],
    ['.events(…): maxConnectionsPerAddress', { maxConnectionsPerAddress: 0.5 }],
    ['.events(…): tokenTtl', { auth: { enabled: true, tokenTtl: -1 } }],
  ])(
    'are refused as a server starts when a timer or a limit cannot be that: %s %j',
    async (place, options) => {
      const definition = defineServer().events(defineEventRouter(events), options)
      await expect(startTestServer(definition)).rejects.toThrow(place)
    },
  )

  it('are refused likewise for sockets and histories, and no limit is 0', async () => {
    const sockets = defineServer().websockets(defineWebSocketRouter({ events }), { maxPayload: 0 })
    await expect(startTestServer(sockets)).rejects.toThrow('.websockets(…): maxPayload')
    const history = defineEventRouter(events, { history: { size: 0, ttl: 1000 } })
    await expect(startTestServer(defineServer().events(history))).rejects.toThrow('size')
    const any = { maxConnectionsPerSubject: 0, maxConnectionsPerAddress: 0 }
    const server = await startTestServer(
      defineServer()
        .events(defineEventRouter(events), any)
        .websockets(defineWebSocketRouter({ events }), any),
    )
    await server.stop()
  })
})
