import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { readServerEnv } from '../definition/env.ts'
import { shutdownDelayMillis } from '../http/env.ts'
import { defineEvent, defineEventRouter, defineRouter, defineServer, route, t } from '../index.ts'
import { gate, testCredentials } from '../streams/test-credentials.ts'
import { openTestSocket, openTestStream } from '../streams/test-stream.ts'
import { startTestServer } from '../testing/test-server.ts'

const soon = { interval: 5, timeout: 5000 }
const delayMillis = 600
const env = { SVC_SHUTDOWN_DELAY: `${delayMillis}ms` }

const tick = defineEvent('tick', t.Object({ n: t.Integer() }))
const ping = route.post('/ping').handler(() => ({ pong: true }))

async function start(definition = defineServer()) {
  const server = await startTestServer(definition, { env })
  onTestFinished(() => server.stop())
  return server
}

/** Stops it, and says when it has stopped and whether it has yet. */
function stopOf(server: { stop: () => Promise<void> }) {
  const began = performance.now()
  let hasStopped = false
  const stopped = server.stop().then(() => {
    hasStopped = true
    return performance.now() - began
  })
  return { stopped, hasStopped: () => hasStopped }
}

describe('SVC_SHUTDOWN_DELAY', () => {
  it('begins with the signal: readiness is 503 at once, and new requests are answered until it is over', async () => {
    const server = await start(defineServer().routes(defineRouter({ ping })))
    const { stopped, hasStopped } = stopOf(server)
    const ready = await server.fetch('/_core/health/ready')
    expect([ready.status, await ready.json()]).toMatchObject([503, { status: 'shutting_down' }])
    expect((await server.fetch('/_core/health/live')).status).toBe(200)
    while (!hasStopped()) {
      const answer = await server.fetch('/ping', { method: 'POST' }).catch((error) => error)
      if (!(answer instanceof Response)) break
      expect([answer.status, answer.headers.get('connection')]).toEqual([200, 'close'])
      await wait(20)
    }
    expect(await stopped).toBeGreaterThan(delayMillis - 5)
    await expect(server.fetch('/ping', { method: 'POST' })).rejects.toThrow()
  })

  it('keeps idle connections open, and closes each with the answer to its next request', async () => {
    const server = await start(defineServer().routes(defineRouter({ ping })))
    const [used, idle] = [await openTestSocket(server.url), await openTestSocket(server.url)]
    for (const client of [used, idle]) {
      client.get('/_core/health/live')
      await vi.waitFor(() => expect(client.received()).toContain('200 OK'), soon)
      expect(client.received().toLowerCase()).toContain('connection: keep-alive')
    }
    const { stopped, hasStopped } = stopOf(server)
    await wait(delayMillis / 2)
    expect([used.socket.readyState, idle.socket.readyState]).toEqual(['open', 'open'])
    used.get('/_core/health/live')
    await used.closed
    expect(used.received().toLowerCase()).toMatch(/200 ok.*200 ok.*connection: close/s)
    expect(hasStopped()).toBe(false)
    expect(idle.socket.readyState).toBe('open')
    await idle.closed
    await stopped
  })

  it('tells handlers that wait for others when it is over, so that they respond', async () => {
    const waiting = gate()
    const waits = route.get('/wait').handler(async (c) => {
      const { stopping } = c.raw.server
      const stops = once(stopping, 'abort')
      void waiting.pass()
      await stops
      return { isStopping: stopping.aborted }
    })
    const server = await start(defineServer().routes(defineRouter({ waits })))
    const answer = server.fetch('/wait')
    await waiting.asked
    const { stopped } = stopOf(server)
    await wait(delayMillis / 2)
    expect(server.infrastructure.stopping.aborted).toBe(false)
    expect(await (await answer).json()).toEqual({ isStopping: true })
    await stopped
  })

  it('closes the connection of a request that came before the signal and is answered after the port has closed', async () => {
    const working = gate<string>()
    const slow = route.get('/slow').handler(() => working.pass())
    const server = await start(defineServer().routes(defineRouter({ slow })))
    const client = await openTestSocket(server.url)
    client.get('/slow')
    await working.asked
    const { stopped } = stopOf(server)
    await wait(delayMillis + 100)
    await expect(server.fetch('/slow')).rejects.toThrow()
    working.open('done')
    await client.closed
    expect(client.received().toLowerCase()).toContain('connection: close')
    expect(client.received()).toContain('"done"')
    await stopped
  })

  it('answers what comes on a connection that was made before the port closed', async () => {
    const server = await start(defineServer().routes(defineRouter({ ping })))
    const { stopped, hasStopped } = stopOf(server)
    const [fresh, silent] = [await openTestSocket(server.url), await openTestSocket(server.url)]
    await wait(delayMillis + 200)
    await expect(server.fetch('/ping', { method: 'POST' })).rejects.toThrow()
    fresh.get('/ping', { method: 'POST', headers: ['content-length: 0'] })
    await fresh.closed
    expect(fresh.received()).toMatch(/200 OK.*connection: close.*{"pong":true}/is)
    expect(hasStopped()).toBe(false)
    await silent.closed
    expect(await stopped).toBeLessThan(delayMillis + 2000)
  })

  it('leaves streams as they are: events arrive, new ones open, and a revoked key ends its own', async () => {
    const auth = { enabled: true }
    const definition = defineServer()
      .lifecycle(testCredentials().lifecycle)
      .events(defineEventRouter({ tick }), { auth })
    const server = await start(definition)
    const open = async (key: string) => {
      const headers = { 'x-user': 'u1', 'x-key': key }
      const issued = await server.fetch('/events/token', { method: 'POST', headers })
      const { token } = await issued.json()
      return openTestStream(`${server.url}/events/stream?events=tick&token=${token}`)
    }
    const [kept, revoked] = [await open('k1'), await open('k2')]
    const { stopped, hasStopped } = stopOf(server)
    const late = await open('k3')
    expect(late.headers.get('connection')).toBe('close')
    server.infrastructure.streams.end('u1', ['k2'])
    expect(await revoked.ended).toBe('ended')
    await server.within(() => tick.emit({ n: 1 }))
    for (const stream of [kept, late]) {
      await vi.waitFor(() => expect(stream.payloads()).toEqual([{ n: 1 }]), soon)
    }
    expect(hasStopped()).toBe(false)
    expect(revoked.payloads()).toEqual([])
    for (const stream of [kept, late]) {
      expect(await stream.ended).toBe('ended')
      expect(stream.frames.at(-1)).toHaveProperty('retry')
    }
    await stopped
  })

  it('comes before the hooks of the shutdown, which may end what requests need', async () => {
    const leaving = gate()
    leaving.open()
    const server = await start(
      defineServer().lifecycle({ name: 'package', beforeShutdown: leaving.pass }),
    )
    const began = performance.now()
    const { stopped } = stopOf(server)
    await leaving.asked
    expect(performance.now() - began).toBeGreaterThan(delayMillis - 5)
    await stopped
  })

  it('is 5 s in production and none elsewhere, unless it is set', () => {
    const delay = (source: Record<string, string>) => shutdownDelayMillis(readServerEnv(source))
    expect(delay({ NODE_ENV: 'production' })).toBe(5000)
    expect(delay({ NODE_ENV: 'production', SVC_SHUTDOWN_DELAY: '0s' })).toBe(0)
    expect(delay({})).toBe(0)
    expect(delay({ NODE_ENV: 'test', SVC_SHUTDOWN_DELAY: '5m' })).toBe(300_000)
    for (const wrong of ['5', '301s', '5h', '-1s', '1.5s', 'none']) {
      expect(() => delay({ SVC_SHUTDOWN_DELAY: wrong })).toThrow(
        'SVC_SHUTDOWN_DELAY must be a duration from 0s to 5m',
      )
    }
  })
})
