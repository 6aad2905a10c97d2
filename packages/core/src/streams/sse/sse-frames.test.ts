import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { defineEvent, defineEventRouter, defineServer, t } from '../../index.ts'
import { clockEvents, useTestStreaming } from '../test-streaming.ts'

const soon = { interval: 5, timeout: 5000 }
afterEach(() => void vi.useRealTimers())

const { serve } = useTestStreaming()

describe('frames', () => {
  it('are one for each emission, named by the key, with the payload as JSON (E-033, E-035)', async () => {
    const { tick, done } = clockEvents()
    const server = await serve(defineServer().events(defineEventRouter({ tick, done })))
    const stream = await server.open('?events=tick,done')
    await tick.emit({ n: 1 })
    await tick.emit({ n: 2 })
    await done.emit()
    await vi.waitFor(() => expect(stream.payloads()).toEqual([{ n: 1 }, { n: 2 }, null]), soon)
    const [, ...frames] = stream.frames
    expect(frames.map(({ event }) => event)).toEqual(['tick', 'tick', 'done'])
    const ids = frames.map(({ id = '' }) => id)
    expect(new Set(ids.map((id) => id.replace(/\d+$/, ''))).size).toBe(1)
    expect(ids.map((id) => Number(/\d+$/.exec(id)))).toEqual([1, 2, 3])
  })

  it('begin with `connected`, which names the events and the time (E-036)', async () => {
    const { tick, tock } = clockEvents()
    const server = await serve(defineServer().events(defineEventRouter({ tick, tock })))
    const stream = await server.open('?events=tock,tick')
    await vi.waitFor(() => expect(stream.frames).toHaveLength(1), soon)
    const timestamp = server.clock.now().toISOString()
    expect(stream.frames[0]).toEqual({
      event: 'connected',
      data: { events: ['tock', 'tick'], timestamp },
    })
  })

  it('hold a ping every `pingInterval` (E-037, E-041)', async () => {
    const { tick } = clockEvents()
    const router = defineEventRouter({ tick })
    const server = await serve(defineServer().events(router, { pingInterval: 40 }))
    const opened = performance.now()
    const stream = await server.open('?events=tick')
    await vi.waitFor(() => expect(stream.frames.length).toBeGreaterThanOrEqual(5), soon)
    expect(performance.now() - opened).toBeGreaterThan(3 * 40)
    const timestamp = server.clock.now().toISOString()
    expect(stream.frames[1]).toEqual({ event: 'ping', data: { timestamp } })
  })

  it('hold a ping every ten seconds unless the interval is set (E-041)', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const { tick } = clockEvents()
    const server = await serve(defineServer().events(defineEventRouter({ tick })))
    const stream = await server.open('?events=tick')
    const pings = () => stream.frames.filter(({ event }) => event === 'ping').length
    // `expect.poll` would move these timers on.
    const isSo = async (claim: () => boolean) => {
      while (!claim()) await wait(5)
    }
    await vi.advanceTimersByTimeAsync(9999)
    await tick.emit({ n: 1 })
    await isSo(() => stream.payloads().length === 1)
    expect(pings()).toBe(0)
    await vi.advanceTimersByTimeAsync(1)
    await isSo(() => pings() === 1)
    await vi.advanceTimersByTimeAsync(9999)
    await tick.emit({ n: 2 })
    await isSo(() => stream.payloads().length === 2)
    expect(pings()).toBe(1)
    await vi.advanceTimersByTimeAsync(1)
    await isSo(() => pings() === 2)
  })

  it('are those of requested events only (E-039)', async () => {
    const { tick, tock } = clockEvents()
    const server = await serve(defineServer().events(defineEventRouter({ tick, tock })))
    const stream = await server.open('?events=tock')
    await tick.emit({ n: 1 })
    await tock.emit({ n: 2 })
    await vi.waitFor(() => expect(stream.payloads('tock')).toEqual([{ n: 2 }]), soon)
    expect(stream.payloads()).toEqual([{ n: 2 }])
  })

  it('keep text of any kind on one line', async () => {
    const say = defineEvent('say', t.String())
    const server = await serve(defineServer().events(defineEventRouter({ say })))
    const stream = await server.open('?events=say')
    const said = 'a\r\nevent: forged\n\ndata: \u2028\u2029 \u{1F600} \ud800 \0'
    await say.emit(said)
    await vi.waitFor(() => expect(stream.payloads()).toEqual([said]), soon)
    expect(stream.frames).toHaveLength(2)
  })

  it('reach every stream, and none twice', async () => {
    const { tick } = clockEvents()
    const server = await serve(defineServer().events(defineEventRouter({ tick })))
    const streams = await Promise.all(Array.from({ length: 20 }, () => server.open('?events=tick')))
    const sent = Array.from({ length: 50 }, (_, n) => ({ n }))
    for (const payload of sent) await tick.emit(payload)
    await vi.waitFor(() => {
      for (const stream of streams) expect(stream.payloads()).toEqual(sent)
    }, soon)
  })

  it('leave out what has no JSON, and go on', async () => {
    const any = defineEvent('any', t.Unknown())
    const server = await serve(defineServer().events(defineEventRouter({ any })))
    const stream = await server.open('?events=any')
    await any.emit(1n)
    await any.emit('next')
    await vi.waitFor(() => expect(stream.payloads()).toEqual(['next']), soon)
    expect(server.logged).toContainEqual(expect.objectContaining({ level: 'error', event: 'any' }))
  })

  it('carry events that are named like members of every object', async () => {
    const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf']
    const all = Object.fromEntries(names.map((name) => [name, defineEvent(name, t.String())]))
    const filter = { constructor: () => true }
    const router = defineEventRouter(all)
    const recipients = {}
    const auth = { enabled: true, getSubject: () => 'u1', filter, recipients }
    const server = await serve(defineServer().events(router, { auth }))
    const issued = await server.fetch('/events/token', { method: 'POST' })
    const { token } = await issued.json()
    const stream = await server.open(`?events=${names.join()}&token=${token}`)
    for (const name of names) await all[name]?.emit(name)
    await vi.waitFor(() => expect(stream.payloads()).toEqual(names), soon)
  })
})
