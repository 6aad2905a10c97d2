import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { ServerDefinition } from '../definition/define-server.ts'
import { defineEvent, defineEventRouter, defineRouter, defineServer, route, t } from '../index.ts'
import { startTestServer, type TestServer } from '../testing/test-server.ts'
import { gate, testCredentials } from './test-credentials.ts'
import { openTestSocket, openTestStream } from './test-stream.ts'

const soon = { interval: 5, timeout: 5000 }

const running: TestServer[] = []
afterEach(async () => {
  for (const server of running.splice(0)) await server.stop()
})

const tick = defineEvent('tick', t.Object({ n: t.Integer() }))
const router = defineEventRouter({ tick })

async function start(definition: ServerDefinition) {
  const server = await startTestServer(definition)
  running.push(server)
  const open = (query = '') => openTestStream(`${server.url}/events/stream?events=tick${query}`)
  return { ...server, open }
}

async function timed(work: Promise<unknown>) {
  const began = performance.now()
  await work
  return performance.now() - began
}

describe('a shutdown', () => {
  it('ends every stream well, and asks clients to come back within ten seconds, not all at once', async () => {
    const { open, stop } = await start(defineServer().events(router))
    const streams = await Promise.all(Array.from({ length: 100 }, () => open()))
    expect(await timed(stop())).toBeLessThan(2000)
    for (const stream of streams) expect(await stream.ended).toBe('ended')
    const retries = streams.map(({ frames }) => Number(frames.at(-1)?.retry))
    expect(retries.every((millis) => millis >= 0 && millis <= 10_000)).toBe(true)
    for (let second = 0; second < 10_000; second += 2500) {
      expect(retries.some((millis) => millis >= second && millis < second + 2500)).toBe(true)
    }
  })

  it('lets requests under way finish, and answers them after the streams have ended', async () => {
    const working = gate<string>()
    const slow = route.get('/slow').handler(() => working.pass())
    const {
      open,
      stop,
      fetch: ask,
    } = await start(defineServer().routes(defineRouter({ slow })).events(router))
    const stream = await open()
    const asked = ask('/slow')
    await working.asked
    const stopped = stop()
    expect(await stream.ended).toBe('ended')
    working.open('done')
    expect(await (await asked).json()).toBe('done')
    await stopped
  })

  it('says so on health before any stream ends', async () => {
    const farewell = gate()
    const definition = defineServer().events(router)
    const { open, stop, url } = await start(
      definition.lifecycle({ name: 'slow', beforeShutdown: farewell.pass }),
    )
    const stream = await open()
    const stopped = stop()
    await farewell.asked
    const health = await fetch(`${url}/_core/health`)
    expect([health.status, stream.frames.at(-1)?.retry]).toEqual([503, undefined])
    await tick.emit({ n: 1 })
    await vi.waitFor(() => expect(stream.payloads()).toEqual([{ n: 1 }]), soon)
    farewell.open()
    expect(await stream.ended).toBe('ended')
    await stopped
  })

  it('is not held up by a stream that is still being opened', async () => {
    const deciding = gate()
    const authorize = async (_: string, events: string[]) => {
      await deciding.pass()
      return events
    }
    const auth = { enabled: true, getSubject: () => 'u1', authorize }
    const {
      open,
      stop,
      fetch: ask,
      infrastructure,
    } = await start(defineServer().events(router, { auth }))
    const issued = await ask('/events/token', { method: 'POST' })
    const { token } = await issued.json()
    const opening = open(`&token=${token}`)
    await deciding.asked
    const stopped = timed(stop())
    deciding.open()
    const stream = await opening
    expect(['ended', 'refused']).toContain(await stream.ended)
    expect(await stopped).toBeLessThan(3000)
    expect(infrastructure.streams.size).toBe(0)
  })

  it('refuses with 503 a stream that is asked for meanwhile', async () => {
    const { stop, url } = await start(defineServer().events(router))
    const client = await openTestSocket(url)
    client.socket.write('GET /events/stream?events=tick HTTP/1.1\r\n')
    await wait(50)
    const stopped = stop()
    await wait(50)
    client.socket.write('host: localhost\r\n\r\n')
    await vi.waitFor(() => expect(client.received()).toContain('HTTP/1.1 503'), soon)
    expect(client.received()).toContain('ServiceUnavailableError')
    await stopped
  })

  it('is not held up by a client that reads nothing', async () => {
    const large = defineEvent('large', t.String())
    const { stop, url } = await start(defineServer().events(defineEventRouter({ large })))
    const client = await openTestSocket(url)
    client.get('/events/stream?events=large')
    await vi.waitFor(() => expect(client.received()).toContain('connected'), soon)
    client.socket.pause()
    await large.emit('x'.repeat(8_000_000))
    await wait(50)
    expect(await timed(stop())).toBeLessThan(3000)
    client.socket.destroy()
  })

  it('ends what events are delivered to: nothing is written to a stream of a stopped server', async () => {
    const first = await start(defineServer().events(router))
    const second = await start(defineServer().events(router))
    const [ended, kept] = [await first.open(), await second.open()]
    await first.stop()
    await tick.emit({ n: 1 })
    await vi.waitFor(() => expect(kept?.payloads()).toEqual([{ n: 1 }]), soon)
    expect(ended?.payloads()).toEqual([])
  })

  it('is the end of what listens to events', async () => {
    const recipients = vi.fn(() => 'u1')
    const kept = defineEventRouter({ tick }, { history: { size: 10, ttl: 60_000 } })
    const auth = { enabled: true, recipients: { tick: recipients } }
    const { stop } = await start(defineServer().events(kept, { auth }))
    await tick.emit({ n: 1 })
    expect(recipients).toHaveBeenCalledTimes(1)
    await stop()
    await tick.emit({ n: 2 })
    expect(recipients).toHaveBeenCalledTimes(1)
  })

  it('leaves no timer behind', async () => {
    const set = vi.spyOn(globalThis, 'setInterval')
    const clear = vi.spyOn(globalThis, 'clearInterval')
    const auth = { enabled: true, getSubject: () => 'u1' }
    const definition = defineServer().lifecycle(testCredentials().lifecycle)
    const server = await start(definition.events(router, { auth }))
    const opened = new Set(set.mock.results.map(({ value }) => value as unknown))
    await server.stop()
    for (const [timer] of clear.mock.calls) opened.delete(timer)
    expect(opened.size).toBe(0)
    expect(set.mock.calls.length).toBeGreaterThan(1)
  })
})
