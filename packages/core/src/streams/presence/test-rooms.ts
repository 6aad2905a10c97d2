import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, expect, vi } from 'vitest'
import type { Lifecycle } from '../../definition/lifecycle.ts'
import {
  defineChannel,
  defineEvent,
  defineEventRouter,
  defineRouter,
  defineServer,
  defineWebSocketRouter,
  type EventStreamOptions,
  type HistoryOptions,
  migrationSources,
  route,
  t,
} from '../../index.ts'
import { createTestDatabase } from '../../testing/test-database.ts'
import { startTestServer, type TestServer } from '../../testing/test-server.ts'
import { asUser, openTestWebSocket, tokenOf } from '../test-socket.ts'
import { openTestStream, type TestStream } from '../test-stream.ts'

export const soon = { interval: 10, timeout: 10_000 }

/** How servers keep who is there, and how they tell each other. */
export type Way = 'memory' | 'log' | 'cache' | 'database alone'

export interface RoomOptions {
  way: Way
  databaseUrl: string
  /** Who may follow a room; every user unless set. */
  mayFollow?: (subject: string, room: string) => boolean
  lifecycle?: Lifecycle
  history?: HistoryOptions
  maxAge?: number
  pingInterval?: number
}

/** The application as a process of its own would have it: with events of its own making. */
function roomsOf({ way, mayFollow = () => true, lifecycle, history, ...options }: RoomOptions) {
  const roomSaid = defineChannel('room.said', t.Object({ text: t.String() }), { presence: true })
  const events = { news: defineEvent('room.news'), roomSaid }
  const kept = { size: 1000, ttl: 600_000 }
  const keeping = way === 'log' ? { history: history ?? kept } : {}
  const auth: EventStreamOptions<typeof events>['auth'] = {
    enabled: true,
    channels: { roomSaid: mayFollow },
  }
  const { maxAge, pingInterval } = options
  const given = { auth, ...(maxAge && { maxAge }), ...(pingInterval && { pingInterval }) }
  const whoIsThere = route
    .get('/rooms/:room')
    .input({ params: t.Object({ room: t.String() }) })
    .handler(async (c) => roomSaid.of((await c.data()).params.room).present())
  const definition = defineServer()
    .use([asUser])
    .routes(defineRouter({ whoIsThere }))
    .events(defineEventRouter(events, keeping), given)
    .websockets(defineWebSocketRouter({ events, ...keeping }), given)
  return { roomSaid, definition: lifecycle ? definition.lifecycle(lifecycle) : definition }
}

export type Rooms = Awaited<ReturnType<typeof startRooms>>

export async function startRooms(options: RoomOptions) {
  const { way, databaseUrl } = options
  const { roomSaid, definition } = roomsOf(options)
  const env = {
    ...(way !== 'memory' && { DATABASE_URL: databaseUrl }),
    ...(way === 'cache' && { CACHE_URL: 'postgres:' }),
  }
  const server = await startTestServer(definition, { env })
  return { ...server, roomSaid, ...clientsOf(server) }
}

/** The servers and rooms of each test, on one database. */
export function useTestRooms() {
  let database: Awaited<ReturnType<typeof createTestDatabase>>
  beforeAll(async () => {
    database = await createTestDatabase({ sources: migrationSources(defineServer()) })
  })
  afterAll(() => database.drop())

  const running: Rooms[] = []
  afterEach(async () => {
    for (const server of running.splice(0)) await server.stop()
  })

  // What is left of another test has nothing to do with these.
  const rooms = { one: '', two: '' }
  beforeEach(() => {
    rooms.one = `roomSaid:${randomUUID()}`
    rooms.two = `roomSaid:${randomUUID()}`
  })

  async function start(way: Way, options: Partial<RoomOptions> = {}) {
    const server = await startRooms({ way, databaseUrl: database.url, ...options })
    running.push(server)
    return server
  }

  async function stop(server: Rooms) {
    running.splice(running.indexOf(server), 1)
    await server.stop()
  }

  /** Until the grace of what has broken off is over. */
  async function graceEnds() {
    for (const { clock } of running) clock.advance('15s')
    await database.pool.query(
      `update svc_core.followers set until = now() - interval '1 second' where until is not null`,
    )
  }

  /** Until the leases of instances that are not there any more are over. */
  const deadEnd = (seconds = 1) =>
    database.pool.query(
      `update svc_core.presence_instances set until = now() - interval '1 second'
       where until < now() + $1::interval`,
      [`${seconds} seconds`],
    )

  const pool = () => database.pool
  const databaseUrl = () => database.url
  return Object.assign(rooms, { start, stop, graceEnds, deadEnd, pool, databaseUrl })
}

/** The resource of a room's channel. */
export const idOf = (room: string) => room.slice('roomSaid:'.length)

function clientsOf(server: TestServer) {
  const open = async (user: string, events: string, lastId?: string) => {
    const stream = await openTestStream(
      `${server.url}/events/stream?events=${events}&token=${await tokenOf(server, user)}`,
      lastId === undefined ? {} : { 'last-event-id': lastId },
    )
    if (stream.status === 200) {
      await vi.waitFor(() => expect(stream.frames.length).toBeGreaterThan(0), soon)
    }
    return { ...stream, leave: () => leaveInPeace(stream) }
  }
  const openSocket = async (user: string, events: string) =>
    openTestWebSocket(
      `${server.url}/events/ws?token=${await tokenOf(server, user)}&events=${events}`,
    )
  const ask = async (room: string) =>
    (await (await server.fetch(`/rooms/${room}`)).json()) as string[]
  return { open, openSocket, ask }
}

/** A system resets a connection that is closed with frames on their way, and that is not how a client leaves. */
async function leaveInPeace({ frames, close }: TestStream) {
  for (let known = -1; known !== frames.length; await wait(100)) known = frames.length
  close()
}

interface Told {
  channel: string
  present?: string[]
  joined?: string[]
  left?: string[]
}

interface Client {
  frames: readonly { event?: string; type?: string; data?: unknown }[]
}

/** The frames that tell who is there, in their order. */
export function toldOf({ frames }: Client) {
  return frames
    .filter(({ event, type }) => (event ?? type) === 'presence')
    .map(({ data }) => data as Told)
}

/** Who is there, as a client understands what it was told. */
export function seenBy(client: Client, channel: string) {
  const seen = new Set<string>()
  let isKnown = false
  for (const told of toldOf(client)) {
    if (told.channel !== channel) continue
    if (told.present) {
      isKnown = true
      seen.clear()
    }
    for (const subject of [...(told.present ?? []), ...(told.joined ?? [])]) seen.add(subject)
    for (const subject of told.left ?? []) seen.delete(subject)
  }
  return isKnown ? [...seen].toSorted() : undefined
}

/** What was told of a subject after the client knew who was there: `joined`, `left`. */
export function passagesOf(client: Client, subject: string) {
  return toldOf(client).flatMap(({ joined, left }) => [
    ...(joined?.includes(subject) ? ['joined'] : []),
    ...(left?.includes(subject) ? ['left'] : []),
  ])
}

export const waitToSee = (client: Client, channel: string, subjects: string[]) =>
  vi.waitFor(() => expect(seenBy(client, channel)).toEqual(subjects), soon)
