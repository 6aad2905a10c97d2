import { once } from 'node:events'
import { Compile } from 'typebox/schema'
import { afterAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { t } from '../contract.ts'
import { defineServer } from '../definition/define-server.ts'
import { defineEvent } from '../events/event.ts'
import { defineEventRouter } from '../events/event-router.ts'
import { defineMessage, defineWebSocketRouter } from '../events/web-socket-router.ts'
import { startTestServer } from '../testing/test-server.ts'

const orderShipped = defineEvent('order.shipped', t.Object({ orderId: t.String() }))
const restarted = defineEvent('server.restarted')
const events = { orderShipped, restarted }
const echo = defineMessage(t.Object({ text: t.String() }), ({ payload }) => payload)
const definition = defineServer()
  .events(defineEventRouter(events), { pingInterval: 50 })
  .websockets(defineWebSocketRouter({ events, messages: { echo } }))

const server = await startTestServer(definition)
afterAll(server.stop)

interface Document {
  servers: Record<string, { host: string }>
  channels: Record<'stream' | 'socket', { address: string; messages: Record<string, object> }>
  components: { messages: Record<string, { name: string; payload: object }> }
}
const document = (await (await server.fetch('/_core/asyncapi.json')).json()) as Document

/** Whether the channel has a message of this name and payload. */
function isDescribed(channel: 'stream' | 'socket', name: string, payload: unknown) {
  return Object.keys(document.channels[channel].messages)
    .map((key) => document.components.messages[key])
    .some((each) => each?.name === name && Compile(each.payload).Check(payload))
}

describe('the document describes', () => {
  it('where it was asked for', () => {
    const hosts = Object.values(document.servers).map(({ host }) => host)
    expect(new Set(hosts)).toEqual(new Set([new URL(server.url).host]))
  })

  it('what an event stream sends', async () => {
    const { address } = document.channels.stream
    const { body } = await server.fetch(`${address}?events=orderShipped,restarted`)
    const chunks = body?.pipeThrough(new TextDecoderStream()).getReader()
    let sent = (await chunks?.read())?.value ?? ''
    await orderShipped.emit({ orderId: 'o1' })
    await restarted.emit()
    const expected = ['connected', 'orderShipped', 'restarted', 'ping']
    while (!expected.every((name) => sent.includes(`event: ${name}\n`))) {
      sent += (await chunks?.read())?.value ?? ''
    }
    await chunks?.cancel()

    for (const [, name = '', data = ''] of sent.matchAll(/event: (.*)\ndata: (.*)/g)) {
      expect(isDescribed('stream', name, JSON.parse(data)), data).toBe(true)
    }
  })

  it('what a stream says that could not be recovered', async () => {
    const kept = defineEventRouter(events, { history: { size: 10, ttl: 60_000 } })
    const other = await startTestServer(defineServer().events(kept))
    const { body } = await other.fetch('/events/stream?events=restarted&lastEventId=other-7')
    const chunks = body?.pipeThrough(new TextDecoderStream()).getReader()
    const sent = (await chunks?.read())?.value ?? ''
    await chunks?.cancel()
    await other.stop()
    const data = JSON.parse(/^data: (.*)$/m.exec(sent)?.[1] ?? '')
    expect(data).toMatchObject({ recovered: false, reason: 'unknown' })
    expect(isDescribed('stream', 'connected', data)).toBe(true)
    expect(isDescribed('stream', 'connected', { ...data, reason: 'moon' })).toBe(false)
  })

  it('what a WebSocket sends', async () => {
    const { address } = document.channels.socket
    const socket = new WebSocket(new URL(address, server.url.replace('http', 'ws')))
    const names: string[] = []
    const next = async () => {
      const [bytes] = await once(socket, 'message')
      const { type, data } = JSON.parse(String(bytes))
      expect(isDescribed('socket', type, data), String(bytes)).toBe(true)
      names.push(type)
    }
    await next()
    for (const data of [{ text: 'hi' }, { text: 7 }]) {
      socket.send(JSON.stringify({ type: 'echo', data }))
      await next()
    }
    void orderShipped.emit({ orderId: 'o1' })
    await next()
    void restarted.emit()
    await next()
    socket.close()
    expect(names).toEqual(['connected', 'echo', 'error', 'orderShipped', 'restarted'])
  })
})

describe('GET /_core/asyncapi.json', () => {
  it.each([
    ['in production', definition, { NODE_ENV: 'production' }],
    ['where nothing is streamed', defineServer(), {}],
  ])('answers 404 %s', async (_where, other, env) => {
    const quiet = await startTestServer(other, { env })
    const { status } = await quiet.fetch('/_core/asyncapi.json')
    await quiet.stop()
    expect(status).toBe(404)
  })
})
