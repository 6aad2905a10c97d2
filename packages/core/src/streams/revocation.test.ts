import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { systemClock } from '../clock/clock.ts'
import { ServiceUnavailableError } from '../errors/contract.ts'
import {
  defineEvent,
  defineEventRouter,
  defineServer,
  type EventStreamOptions,
  t,
} from '../index.ts'
import { startTestServer, type TestServer } from '../testing/test-server.ts'
import { createMemoryTokenStore } from './access/token-store.ts'
import { gate, microtasks, testCredentials } from './test-credentials.ts'
import { openTestStream } from './test-stream.ts'

const soon = { interval: 5, timeout: 5000 }

const running: TestServer[] = []
afterEach(async () => {
  vi.useRealTimers()
  for (const server of running.splice(0)) await server.stop()
})

type Auth = NonNullable<EventStreamOptions['auth']>

async function start({
  credentials = testCredentials(),
  ...auth
}: Partial<Auth> & { credentials?: ReturnType<typeof testCredentials> } = {}) {
  const tick = defineEvent('tick', t.Object({ n: t.Integer() }))
  const tock = defineEvent('tock', t.Object({ n: t.Integer() }))
  const router = defineEventRouter({ tick, tock })
  const definition = defineServer()
    .lifecycle(credentials.lifecycle)
    .events(router, { auth: { enabled: true, ...auth } })
  const server = await startTestServer(definition)
  running.push(server)
  const tokenFor = async (user: string, key?: string) => {
    const headers = { 'x-user': user, ...(key && { 'x-key': key }) }
    const answer = await server.fetch('/events/token', { method: 'POST', headers })
    return ((await answer.json()) as { token: string }).token
  }
  const openWith = (token: string, events = 'tick,tock') =>
    openTestStream(`${server.url}/events/stream?events=${events}&token=${token}`)
  const open = async (user: string, key?: string, events?: string) =>
    openWith(await tokenFor(user, key), events)
  return {
    ...server,
    ...credentials,
    tick,
    tock,
    tokenFor,
    openWith,
    open,
    streams: server.infrastructure.streams,
  }
}

describe('ending the streams of an account', () => {
  it('ends all of them at once, and no other user’s', async () => {
    const { open, streams, tick } = await start()
    const [own, other, foreign] = [
      await open('u1', 'k1'),
      await open('u1', 'k2'),
      await open('u2', 'k3'),
    ]
    streams.end('u1')
    expect(streams.size).toBe(1)
    expect(await Promise.all([own?.ended, other?.ended])).toEqual(['ended', 'ended'])
    await tick.emit({ n: 1 })
    await vi.waitFor(() => expect(foreign?.payloads()).toEqual([{ n: 1 }]), soon)
    expect(own?.payloads()).toEqual([])
  })

  it('ends those of a credential only when it is named, and those of an unknown one', async () => {
    const { open, streams } = await start()
    const [own, other, unknown] = [await open('u1', 'k1'), await open('u1', 'k2'), await open('u1')]
    streams.end('u1', ['k1', 'k9'])
    expect(await Promise.all([own?.ended, unknown?.ended])).toEqual(['ended', 'ended'])
    expect(streams.size).toBe(1)
    streams.end('u1', ['k2'])
    expect(await other?.ended).toBe('ended')
  })

  it('finds those of a subject that has another name than its account', async () => {
    const { open, streams } = await start({ getSubject: () => 'public-name' })
    const stream = await open('u1', 'k1')
    streams.end('public-name')
    expect(streams.size).toBe(1)
    streams.end('u1')
    expect(await stream.ended).toBe('ended')
  })

  it('delivers nothing that is emitted afterwards, nor what was on its way', async () => {
    const { open, streams, tick } = await start()
    const stream = await open('u1', 'k1')
    void tick.emit({ n: 1 })
    streams.end('u1')
    await tick.emit({ n: 2 })
    await stream.ended
    expect(stream.payloads()).toEqual([])
  })
})

describe('a token', () => {
  it('that was issued before its key was revoked opens nothing afterwards', async () => {
    const { standings, tokenFor, openWith, streams } = await start()
    const token = await tokenFor('u1', 'k1')
    standings.set('k1', null)
    const { status, refusal } = await openWith(token)
    expect([status, refusal.__type]).toEqual([401, 'UnauthorizedError'])
    expect(streams.size).toBe(0)
  })

  it('opens nothing when its key is revoked while the stream is being authorized', async () => {
    const deciding = gate()
    const authorize = async (_: string, events: string[]) => {
      await deciding.pass()
      return events
    }
    const { open, streams } = await start({ authorize })
    const opening = open('u1', 'k1')
    await deciding.asked
    streams.end('u1', ['k1'])
    deciding.open()
    expect((await opening).status).toBe(401)
    expect(streams.size).toBe(0)
  })

  it('opens nothing that stays open, at any moment that its key is revoked', async () => {
    for (let turns = 0; turns < 12; turns++) {
      const deciding = gate()
      const authorize = async (_: string, events: string[]) => {
        await deciding.pass()
        return events
      }
      const { open, streams, tick } = await start({ authorize })
      const opening = open('u1', 'k1')
      await deciding.asked
      deciding.open()
      await microtasks(turns)
      streams.end('u1', ['k1'])
      await tick.emit({ n: 1 })
      const stream = await opening
      expect([200, 401]).toContain(stream.status)
      expect(await stream.ended).toBe(stream.status === 200 ? 'ended' : 'refused')
      expect(stream.payloads()).toEqual([])
      expect(streams.size).toBe(0)
    }
  })

  it('leaves nothing behind when its client leaves before it is looked up', async () => {
    const lookingUp = gate()
    const memory = createMemoryTokenStore(systemClock)
    const store = {
      ...memory,
      async consume(token: string) {
        await lookingUp.pass()
        return memory.consume(token)
      },
    }
    const { tokenFor, url, streams } = await start({ store })
    const token = await tokenFor('u1', 'k1')
    const leaving = new AbortController()
    const { signal } = leaving
    const opening = fetch(`${url}/events/stream?events=tick&token=${token}`, { signal })
    await lookingUp.asked
    leaving.abort()
    await expect(opening).rejects.toThrow('abort')
    await wait(50)
    lookingUp.open()
    await wait(20)
    expect(streams.size).toBe(0)
  })
})

describe('a change of what an account may do', () => {
  it('asks again, and from there on sends what is allowed then', async () => {
    let allowed = ['tick', 'tock']
    const { open, streams, tick, tock } = await start({ authorize: () => allowed })
    const [stream, foreign] = [await open('u1', 'k1'), await open('u2', 'k2')]
    await tock.emit({ n: 1 })
    await vi.waitFor(() => expect(stream?.payloads()).toEqual([{ n: 1 }]), soon)
    allowed = ['tick']
    streams.reauthorize('u1')
    await wait(20)
    await tock.emit({ n: 2 })
    await tick.emit({ n: 3 })
    await vi.waitFor(() => expect(stream?.payloads()).toEqual([{ n: 1 }, { n: 3 }]), soon)
    allowed = ['tock', 'other']
    streams.reauthorize('u1')
    await wait(20)
    await tick.emit({ n: 4 })
    await tock.emit({ n: 5 })
    await vi.waitFor(() => expect(foreign?.payloads()).toHaveLength(5), soon)
    expect(stream?.payloads()).toEqual([{ n: 1 }, { n: 3 }, { n: 5 }])
  })

  it('ends a stream of which nothing is left', async () => {
    let allowed = ['tick']
    const { open, streams } = await start({ authorize: () => allowed })
    const stream = await open('u1', 'k1')
    allowed = []
    streams.reauthorize('u1')
    expect(await stream.ended).toBe('ended')
    expect(streams.size).toBe(0)
  })

  it('ends streams where nothing says what is allowed', async () => {
    const { open, streams } = await start()
    const stream = await open('u1', 'k1')
    streams.reauthorize('u1')
    expect(await stream.ended).toBe('ended')
  })

  it('ends a stream whose key turns out to be revoked', async () => {
    const { open, streams, standings } = await start({ authorize: (_, events) => events })
    const stream = await open('u1', 'k1')
    standings.set('k1', null)
    streams.reauthorize('u1')
    expect(await stream.ended).toBe('ended')
  })

  it('is heeded while a stream is being opened', async () => {
    const first = gate()
    let asked = 0
    const authorize = async () => {
      asked += 1
      if (asked > 1) return ['tick']
      await first.pass()
      return ['tick', 'tock']
    }
    const { open, streams } = await start({ authorize })
    const opening = open('u1', 'k1')
    await first.asked
    streams.reauthorize('u1')
    first.open()
    const stream = await opening
    await vi.waitFor(() => expect(stream.frames).toHaveLength(1), soon)
    expect(stream.frames[0]?.data).toMatchObject({ events: ['tick'] })
  })

  it('is heeded at every moment of the opening', async () => {
    for (let turns = 0; turns < 12; turns++) {
      const deciding = gate()
      let allowed = ['tick', 'tock']
      const authorize = async () => {
        const answer = allowed
        await deciding.pass()
        return answer
      }
      const { open, streams, tick, tock } = await start({ authorize })
      const opening = open('u1', 'k1')
      await deciding.asked
      deciding.open()
      await microtasks(turns)
      allowed = ['tick']
      streams.reauthorize('u1')
      const stream = await opening
      await wait(10)
      await tock.emit({ n: 1 })
      await tick.emit({ n: 2 })
      await vi.waitFor(() => expect(stream.payloads('tick')).toEqual([{ n: 2 }]), soon)
      expect(stream.payloads('tock')).toEqual([])
    }
  })

  it('is not undone by an answer to an earlier question that comes late', async () => {
    const late = gate()
    let asked = 0
    const authorize = async (_: string, events: string[]) => {
      asked += 1
      if (asked === 1) return events
      if (asked > 2) return ['tick']
      await late.pass()
      return events
    }
    const { open, streams, tick, tock } = await start({ authorize })
    const stream = await open('u1', 'k1')
    streams.reauthorize('u1')
    await late.asked
    streams.reauthorize('u1')
    await wait(20)
    late.open()
    await wait(20)
    await tock.emit({ n: 1 })
    await tick.emit({ n: 2 })
    await vi.waitFor(() => expect(stream.payloads('tick')).toEqual([{ n: 2 }]), soon)
    expect(stream.payloads('tock')).toEqual([])
  })

  it('leaves a stream as it is while the answer cannot be had, and says so', async () => {
    let fails = false
    const authorize = (_: string, events: string[]) => {
      if (fails) throw new ServiceUnavailableError()
      return events
    }
    const { open, streams, tick, logged } = await start({ authorize })
    const stream = await open('u1', 'k1')
    fails = true
    streams.reauthorize('u1')
    await wait(20)
    await tick.emit({ n: 1 })
    await vi.waitFor(() => expect(stream.payloads()).toEqual([{ n: 1 }]), soon)
    expect(logged).toContainEqual(
      expect.objectContaining({ level: 'error', msg: 'a stream could not be authorized again' }),
    )
  })

  it('ends a stream that is not asked about again when the answer cannot be had', async () => {
    let fails = false
    const authorize = (_: string, events: string[]) => {
      if (fails) throw new ServiceUnavailableError()
      return events
    }
    const { open, streams } = await start({ authorize })
    const stream = await open('u1')
    fails = true
    streams.reauthorize('u1')
    expect(await stream.ended).toBe('ended')
  })
})

describe('the watch', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  })

  const later = () => vi.advanceTimersByTime(30_000)

  it('finds out within 30 s that a key has gone, also when no message has told it', async () => {
    const { open, streams, standings } = await start()
    const [revoked, kept] = [await open('u1', 'k1'), await open('u2', 'k2')]
    standings.set('k1', null)
    later()
    expect(await revoked?.ended).toBe('ended')
    expect(streams.size).toBe(1)
    expect(kept?.status).toBe(200)
  })

  it('finds out that an account may do other things, and asks again', async () => {
    let allowed = ['tick', 'tock']
    const credentials = testCredentials()
    const { open, standings, tick, tock } = await start({ credentials, authorize: () => allowed })
    standings.set('k1', 'reader')
    const stream = await open('u1', 'k1')
    later()
    await wait(20)
    allowed = ['tick']
    await tock.emit({ n: 1 })
    await vi.waitFor(() => expect(stream.payloads()).toEqual([{ n: 1 }]), soon)
    standings.set('k1', 'other')
    later()
    await wait(20)
    await tock.emit({ n: 2 })
    await tick.emit({ n: 3 })
    await vi.waitFor(() => expect(stream.payloads('tick')).toEqual([{ n: 3 }]), soon)
    expect(stream.payloads('tock')).toEqual([{ n: 1 }])
  })

  it('ends nothing because the database does not answer, and asks again', async () => {
    const credentials = testCredentials()
    const { open, streams, standings, logged } = await start({ credentials })
    const stream = await open('u1', 'k1')
    standings.set('k1', null)
    vi.spyOn(credentials.given, 'standing').mockRejectedValueOnce(new ServiceUnavailableError())
    later()
    await wait(20)
    expect(streams.size).toBe(1)
    expect(logged).toContainEqual(expect.objectContaining({ level: 'error' }))
    later()
    expect(await stream.ended).toBe('ended')
  })

  it('asks again about a stream that could not be authorized', async () => {
    let fails = false
    let allowed = ['tick', 'tock']
    const authorize = () => {
      if (fails) throw new ServiceUnavailableError()
      return allowed
    }
    const { open, streams, standings, tick, tock } = await start({ authorize })
    standings.set('k1', 'reader')
    const stream = await open('u1', 'k1')
    fails = true
    allowed = ['tick']
    streams.reauthorize('u1')
    await wait(20)
    fails = false
    later()
    await wait(20)
    await tock.emit({ n: 1 })
    await tick.emit({ n: 2 })
    await vi.waitFor(() => expect(stream.payloads('tick')).toEqual([{ n: 2 }]), soon)
    expect(stream.payloads('tock')).toEqual([])
  })

  it('asks about streams with a credential only', async () => {
    const { open, questions } = await start()
    await open('u1', 'k1')
    await open('u2')
    questions.length = 0
    later()
    await wait(20)
    expect(questions.map((grants) => grants.map(({ subject }) => subject))).toEqual([['u1']])
  })

  it('is over when the server has stopped', async () => {
    const server = await start()
    await server.open('u1', 'k1')
    await server.stop()
    server.questions.length = 0
    later()
    expect(server.questions).toEqual([])
  })
})
