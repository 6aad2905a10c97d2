import { afterEach, expect, it, vi } from 'vitest'
import {
  defineEvent,
  defineEventRouter,
  defineServer,
  defineWebSocketRouter,
  type EventStreamOptions,
  type StreamList,
  t,
} from '../../index.ts'
import { startTestServer } from '../../testing/test-server.ts'
import { testCredentials } from '../test-credentials.ts'
import { openTestWebSocket } from '../test-socket.ts'
import { openTestStream } from '../test-stream.ts'

export const soon = { interval: 10, timeout: 5000 }

export const closers: (() => Promise<unknown>)[] = []

/** An instance with an event of its own making, as another process would have it. */
export async function start(env = {}, options: EventStreamOptions = {}) {
  const credentials = testCredentials()
  const events = {
    tick: defineEvent('tick', t.Object({ text: t.String() })),
    tock: defineEvent('tock'),
  }
  const auth = { enabled: true }
  const definition = defineServer()
    .lifecycle(credentials.lifecycle)
    .events(defineEventRouter(events), { auth, ...options })
    .websockets(defineWebSocketRouter({ events }), { auth, ...options })
  const server = await startTestServer(definition, { env })
  closers.push(server.stop)
  const tokenOf = async (user: string, key: string) => {
    const headers = { 'x-user': user, 'x-key': key }
    const answer = await server.fetch('/events/token', { method: 'POST', headers })
    return ((await answer.json()) as { token: string }).token
  }
  const open = async (user: string, { key = 'k1', events: names = 'tick,tock' } = {}) => {
    const token = await tokenOf(user, key)
    const stream = await openTestStream(
      `${server.url}/events/stream?events=${names}&token=${token}`,
    )
    expect(stream.status).toBe(200)
    await vi.waitFor(() => expect(stream.frames).toHaveLength(1), soon)
    // Each is opened at a moment of its own.
    server.clock.advance('1s')
    return stream
  }
  const openSocket = async (user: string, key = 'k1') => {
    const socket = await openTestWebSocket(
      `${server.url}/events/ws?token=${await tokenOf(user, key)}`,
    )
    await vi.waitFor(() => expect(socket.frames).toHaveLength(1), soon)
    server.clock.advance('1s')
    return socket
  }
  return { ...server, ...events, open, openSocket, streams: server.infrastructure.streams }
}

export const subjects = ({ streams }: StreamList) => streams.map(({ subject }) => subject)
const idsOf = ({ streams }: StreamList) => streams.map(({ id }) => id)

/** What the walk through all pages finds. */
export async function walk(list: (after?: string) => Promise<StreamList>) {
  const pages = [await list()]
  for (let next = pages[0]?.next; next !== undefined; next = pages.at(-1)?.next) {
    pages.push(await list(next))
  }
  return pages
}

interface Shared {
  readonly env: () => Record<string, string>
  /** How many are asked of so many. */
  readonly asked: (instances: number) => object
}

export function testShared({ env, asked }: Shared) {
  it('are listed of all, from each of them, page by page', async () => {
    const instances = [await start(env()), await start(env()), await start(env())]
    for (const [at, server] of instances.entries()) {
      for (let n = 0; n < 4; n++) await server.open(`u${at}${n}`)
    }
    const list = await instances[0]?.streams.list()
    expect(list).toMatchObject({ total: 12, isShared: true })
    expect(list?.instances).toEqual({ answered: 3, ...asked(3) })
    expect(new Set(list?.streams.map(({ instance }) => instance)).size).toBe(3)
    const times = list?.streams.map(({ openedAt }) => openedAt) ?? []
    expect(times).toEqual(times.toSorted().toReversed())
    for (const { streams } of instances) {
      const pages = await walk((after) => streams.list({ limit: 5, after }))
      expect(pages.map((page) => page.streams.length)).toEqual([5, 5, 2])
      expect(pages.flatMap(idsOf)).toEqual(list && idsOf(list))
    }
    const ofOne = await instances[0]?.streams.list({ owner: 'u21' })
    expect(ofOne).toMatchObject({ streams: [{ owner: 'u21' }], total: 1 })
  }, 30_000)

  it('are each listed once though all were opened in one moment', async () => {
    const instances = [await start(env()), await start(env()), await start(env())]
    const moment = new Date('2030-01-01T00:00:00Z')
    for (const { clock, open } of instances) {
      clock.set(moment)
      await open('ann')
    }
    const pages = await walk((after) =>
      (instances[0] as (typeof instances)[0]).streams.list({ limit: 1, after }),
    )
    expect(new Set(pages.flatMap(idsOf)).size).toBe(3)
    expect(new Set(pages.flatMap(({ streams }) => streams.map((each) => each.openedAt)))).toEqual(
      new Set([moment.toISOString()]),
    )
  }, 30_000)

  it('end on whichever instance they are', async () => {
    const [here, there] = [await start(env()), await start(env())]
    const [stream, other] = [await there.open('ann'), await there.open('ann')]
    const [newest, oldest] = (await here.streams.list()).streams
    expect(await here.streams.find(oldest?.id ?? '')).toEqual(oldest)
    expect(await here.streams.endOne(oldest?.id ?? '')).toEqual(oldest)
    expect(await stream.ended).toBe('ended')
    expect(await here.streams.endOne(oldest?.id ?? '')).toBeNull()
    expect(await there.streams.list()).toMatchObject({ streams: [{ id: newest?.id }], total: 1 })
    other.close()
  }, 30_000)

  it('are those of this process alone where it keeps its events', async () => {
    const alone = await start(env(), { multiInstance: false })
    const other = await start(env())
    await alone.open('ann')
    await other.open('bob')
    const list = await alone.streams.list()
    expect(subjects(list)).toEqual(['ann'])
    expect(list).toMatchObject({ isShared: false, instances: { answered: 1, asked: 1 } })
    expect(subjects(await other.streams.list())).toEqual(['bob'])
  }, 30_000)
}

/** Ends what the tests of one file have started. */
export function useInstances() {
  afterEach(async () => {
    vi.restoreAllMocks()
    for (const close of closers.splice(0)) await close()
  })
  return {}
}
