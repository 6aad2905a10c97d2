import { describe, expect, it, vi } from 'vitest'
import { defineEventRouter, defineRouter, defineServer, route } from '../../index.ts'
import { openTestSocket, readFrames, unchunked } from '../test-stream.ts'
import { clockEvents, useTestStreaming } from '../test-streaming.ts'

const soon = { interval: 5, timeout: 5000 }

const { serve } = useTestStreaming()

describe('the connection', () => {
  async function ticking() {
    const { tick } = clockEvents()
    const server = await serve(defineServer().events(defineEventRouter({ tick })))
    return { tick, server, client: await openTestSocket(server.url) }
  }

  it('is answered with what proxies need to pass events on at once', async () => {
    const { server } = await ticking()
    const { headers } = await server.open('?events=tick', { 'x-request-id': 'request-1' })
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
      'x-request-id': 'request-1',
    })
    expect(headers.has('content-encoding')).toBe(false)
  })

  it('is chunked in HTTP/1.1, each write a whole chunk', async () => {
    const { tick, client } = await ticking()
    client.get('/events/stream?events=tick')
    await vi.waitFor(() => expect(client.received()).toContain('connected'), soon)
    expect(client.received().toLowerCase()).toContain('transfer-encoding: chunked')
    await tick.emit({ n: 1 })
    await vi.waitFor(() => expect(client.received()).toContain('tick\n'), soon)
    const frames = readFrames(unchunked(client.received()))
    expect(frames).toMatchObject([{ event: 'connected' }, { event: 'tick', data: { n: 1 } }])
    client.socket.destroy()
  })

  it('has no chunks in HTTP/1.0, and is closed at the end', async () => {
    const { tick, server, client } = await ticking()
    client.get('/events/stream?events=tick', { version: '1.0' })
    await vi.waitFor(() => expect(client.received()).toContain('connected'), soon)
    await tick.emit({ n: 1 })
    await vi.waitFor(() => expect(client.received()).toContain('"n":1'), soon)
    const [head = '', body = ''] = client.received().split('\r\n\r\n')
    expect(head.toLowerCase()).not.toContain('transfer-encoding')
    expect(readFrames(body)).toMatchObject([{ event: 'connected' }, { event: 'tick' }])
    await server.stop()
    await client.closed
    expect(client.received().split('\r\n\r\n')[1]).toMatch(/^event: connected[^\r]*retry: \d+\n\n$/)
  })

  it('ends with its stream, and says so at once: a balancer sends no request on it', async () => {
    const { tick } = clockEvents()
    const options = { pingInterval: 20, maxAge: 60_000 }
    const server = await serve(defineServer().events(defineEventRouter({ tick }), options))
    const client = await openTestSocket(server.url)
    client.get('/events/stream?events=tick')
    await vi.waitFor(() => expect(client.received()).toContain('connected'), soon)
    expect(client.received().toLowerCase()).toContain('connection: close\r\n')
    server.clock.advance('1m')
    await client.closed
    expect(client.received()).toMatch(/\r\n0\r\n\r\n$/)
  })

  it('refuses a stream behind another request that has no answer yet', async () => {
    const { tick } = clockEvents()
    let answer = () => {}
    const slow = route
      .get('/slow')
      .handler(() => new Promise((resolve) => (answer = () => resolve('done'))))
    const definition = defineServer().routes(defineRouter({ slow }))
    const server = await serve(definition.events(defineEventRouter({ tick })))
    const client = await openTestSocket(server.url)
    client.get('/slow')
    client.get('/events/stream?events=tick')
    await vi.waitFor(() => expect(answer.name).not.toBe(''), soon)
    await new Promise((resolve) => setTimeout(resolve, 50))
    answer()
    await vi.waitFor(() => expect(client.received()).toContain('BadRequestError'), soon)
    expect(client.received()).toContain('HTTP/1.1 400')
    client.socket.destroy()
  })

  it('keeps what is sent behind the stream waiting until it ends', async () => {
    const { tick, server, client } = await ticking()
    client.get('/events/stream?events=tick')
    client.get('/_core/health')
    await vi.waitFor(() => expect(client.received()).toContain('connected'), soon)
    await tick.emit({ n: 1 })
    await vi.waitFor(() => expect(client.received()).toContain('"n":1'), soon)
    expect(client.received()).not.toContain('"status"')
    expect((await server.open('?events=tick')).status).toBe(200)
    client.socket.destroy()
  })

  it('answers other methods with 405, and HEAD too', async () => {
    const { server } = await ticking()
    for (const method of ['POST', 'PUT', 'DELETE', 'HEAD']) {
      const answer = await server.fetch('/events/stream?events=tick', { method })
      expect([method, answer.status]).toEqual([method, 405])
      expect(answer.headers.get('allow')).toContain('GET')
    }
  })

  it('may be opened by pages of listed origins', async () => {
    const { tick } = clockEvents()
    const origin = 'https://app.example'
    const server = await serve(defineServer().origins(origin).events(defineEventRouter({ tick })))
    const stream = await server.open('?events=tick', { origin })
    expect(stream.headers.get('access-control-allow-origin')).toBe(origin)
  })

  it('is not ended by the time that a handler or a silent socket has', async () => {
    const { tick } = clockEvents()
    const definition = defineServer().limits({ handlerMillis: 200, requestMillis: 200 })
    const server = await serve(definition.events(defineEventRouter({ tick })))
    const stream = await server.open('?events=tick')
    await new Promise((resolve) => setTimeout(resolve, 1500))
    await tick.emit({ n: 1 })
    await vi.waitFor(() => expect(stream.payloads()).toEqual([{ n: 1 }]), soon)
  })
})
