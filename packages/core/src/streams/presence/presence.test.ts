import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  defineChannel,
  defineEvent,
  defineEventRouter,
  defineJob,
  defineJobRouter,
  defineServer,
  defineWebSocketRouter,
  migrationSources,
  t,
} from '../../index.ts'
import { createTestDatabase } from '../../testing/test-database.ts'
import { startTestServer } from '../../testing/test-server.ts'
import { testCredentials } from '../test-credentials.ts'
import { tokenOf } from '../test-socket.ts'
import { openTestSocket } from '../test-stream.ts'
import {
  passagesOf,
  type RoomOptions,
  type Rooms,
  seenBy,
  soon,
  startRooms,
  toldOf,
  type Way,
  waitToSee,
} from './test-rooms.ts'

let database: Awaited<ReturnType<typeof createTestDatabase>>
beforeAll(async () => {
  database = await createTestDatabase({ sources: migrationSources(defineServer()) })
})
afterAll(() => database.drop())

const running: Rooms[] = []
afterEach(async () => {
  for (const server of running.splice(0)) await server.stop()
})

/** Rooms of one test: what is left of another has nothing to do with them. */
let one: string
let two: string
beforeEach(() => {
  one = `roomSaid:${randomUUID()}`
  two = `roomSaid:${randomUUID()}`
})
const idOf = (room: string) => room.slice('roomSaid:'.length)

async function start(way: Way, options: Partial<RoomOptions> = {}) {
  const server = await startRooms({ way, databaseUrl: database.url, ...options })
  running.push(server)
  return server
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

describe.each(['memory', 'log', 'cache'] as const)('presence, by %s', (way) => {
  it('shows a stream who is there as it begins to follow, and then who comes and goes', async () => {
    const { open } = await start(way)
    const ada = await open('ada', one)
    await waitToSee(ada, one, ['ada'])
    const bob = await open('bob', `news,${one}`)
    await waitToSee(bob, one, ['ada', 'bob'])
    await waitToSee(ada, one, ['ada', 'bob'])
    expect(passagesOf(ada, 'bob')).toEqual(['joined'])
    await bob.leave()
    const closedAt = performance.now()
    await waitToSee(ada, one, ['ada'])
    expect(performance.now() - closedAt).toBeLessThan(2000)
    expect(passagesOf(ada, 'bob')).toEqual(['joined', 'left'])
    expect(toldOf(ada)[0]).toEqual({ channel: one, present: ['ada'] })
  })

  it('is of those that follow the channel of the resource, and of nobody else', async () => {
    const { open } = await start(way)
    const [ada, bob, eve] = [
      await open('ada', one),
      await open('bob', two),
      await open('eve', 'news'),
    ]
    await waitToSee(ada, one, ['ada'])
    await waitToSee(bob, two, ['bob'])
    await wait(100)
    expect(toldOf(eve)).toEqual([])
    expect(seenBy(ada, two)).toBeUndefined()
    expect(seenBy(bob, one)).toBeUndefined()
  })

  it('counts a subject once, by however many streams of either kind', async () => {
    const { open, openSocket } = await start(way)
    const ada = await open('ada', one)
    await waitToSee(ada, one, ['ada'])
    const [stream, socket] = [await open('bob', one), await openSocket('bob', one)]
    await waitToSee(ada, one, ['ada', 'bob'])
    await waitToSee(socket, one, ['ada', 'bob'])
    await stream.leave()
    await wait(800)
    expect(seenBy(ada, one)).toEqual(['ada', 'bob'])
    socket.ws.close()
    await waitToSee(ada, one, ['ada'])
    expect(passagesOf(ada, 'bob')).toEqual(['joined', 'left'])
  })

  it('follows a WebSocket that changes what it follows', async () => {
    const { open, openSocket } = await start(way)
    const ada = await open('ada', `${one},${two}`)
    const bob = await openSocket('bob', two)
    await waitToSee(ada, two, ['ada', 'bob'])
    bob.send('subscribe', { events: [one] })
    await waitToSee(bob, one, ['ada', 'bob'])
    await waitToSee(ada, one, ['ada', 'bob'])
    bob.send('unsubscribe', { events: [two] })
    await waitToSee(ada, two, ['ada'])
    // One that changes its mind at once is not seen to.
    bob.send('unsubscribe', { events: [one] })
    bob.send('subscribe', { events: ['news', one] })
    await wait(800)
    expect(seenBy(ada, one)).toEqual(['ada', 'bob'])
    expect(toldOf(ada).filter(({ left }) => left)).toHaveLength(1)
    bob.ws.close()
    await waitToSee(ada, one, ['ada'])
  })

  it('ends with what takes the channel away', async () => {
    let isIn = true
    const mayFollow = (subject: string) => subject === 'ada' || isIn
    const { open, infrastructure } = await start(way, { mayFollow })
    const ada = await open('ada', one)
    await waitToSee(ada, one, ['ada'])
    const bob = await open('bob', `${one},news`)
    await waitToSee(bob, one, ['ada', 'bob'])
    isIn = false
    infrastructure.streams.reauthorize('bob')
    await vi.waitFor(() => expect(passagesOf(ada, 'bob')).toEqual(['joined', 'left']), soon)
    const told = toldOf(bob).length
    const eve = await open('eve', one)
    expect(eve.status).toBe(403)
    await ada.leave()
    await wait(700)
    expect(toldOf(bob)).toHaveLength(told)
  })

  it('ends at once with a sign-out', async () => {
    const { lifecycle } = testCredentials()
    const { open, infrastructure } = await start(way, { lifecycle })
    const ada = await open('ada', one)
    const bob = await open('bob', one)
    await waitToSee(ada, one, ['ada', 'bob'])
    infrastructure.streams.end('bob')
    await bob.ended
    await waitToSee(ada, one, ['ada'])
  })

  it('outlasts a connection that breaks off by its grace', async () => {
    const { open, openSocket } = await start(way)
    const ada = await open('ada', one)
    await waitToSee(ada, one, ['ada'])
    const bob = await openSocket('bob', one)
    const eve = await openSocket('eve', one)
    await waitToSee(ada, one, ['ada', 'bob', 'eve'])
    bob.leave()
    eve.leave()
    await wait(800)
    const again = await open('eve', one)
    await waitToSee(again, one, ['ada', 'bob', 'eve'])
    await graceEnds()
    await waitToSee(ada, one, ['ada', 'eve'])
    await wait(100)
    expect(passagesOf(ada, 'eve')).toEqual(['joined'])
    expect(passagesOf(ada, 'bob')).toEqual(['joined', 'left'])
  })

  it('outlasts a stream whose connection is reset', async () => {
    const server = await start(way)
    const ada = await server.open('ada', one)
    await waitToSee(ada, one, ['ada'])
    const bob = await openTestSocket(server.url)
    bob.get(`/events/stream?events=${one}&token=${await tokenOf(server, 'bob')}`)
    await waitToSee(ada, one, ['ada', 'bob'])
    bob.socket.resetAndDestroy()
    await wait(800)
    expect(seenBy(ada, one)).toEqual(['ada', 'bob'])
    await graceEnds()
    await waitToSee(ada, one, ['ada'])
  })

  it('outlasts a stream that the server ends for its age', async () => {
    const { open, clock } = await start(way, { maxAge: 60_000, pingInterval: 50 })
    const ada = await open('ada', one)
    await waitToSee(ada, one, ['ada'])
    clock.advance('61s')
    await ada.ended
    const again = await open('ada', one)
    await waitToSee(again, one, ['ada'])
    await wait(700)
    expect(passagesOf(again, 'ada')).toEqual([])
  })

  it('is known to routes', async () => {
    const { open, ask } = await start(way)
    expect(await ask(idOf(one))).toEqual([])
    const [ada] = [await open('ada', one), await open('bob', one)]
    await waitToSee(ada, one, ['ada', 'bob'])
    expect(await ask(idOf(one))).toEqual(['ada', 'bob'])
    expect(await ask(idOf(two))).toEqual([])
  })

  it('says what is said in the room under the name of the channel, as ever', async () => {
    const { open, roomSaid } = await start(way)
    const ada = await open('ada', one)
    await waitToSee(ada, one, ['ada'])
    await roomSaid.of(idOf(one)).emit({ text: 'hi' })
    await vi.waitFor(() => expect(ada.payloads(one)).toEqual([{ text: 'hi' }]), soon)
  })
})

describe.each(['log', 'cache'] as const)('presence on two instances, by %s', (way) => {
  it('is one', async () => {
    const [here, there] = [await start(way), await start(way)]
    const ada = await here.open('ada', one)
    await waitToSee(ada, one, ['ada'])
    const bob = await there.open('bob', one)
    await waitToSee(bob, one, ['ada', 'bob'])
    await waitToSee(ada, one, ['ada', 'bob'])
    expect([await here.ask(idOf(one)), await there.ask(idOf(one))]).toEqual([
      ['ada', 'bob'],
      ['ada', 'bob'],
    ])
    const other = await here.open('bob', one)
    await bob.leave()
    await wait(800)
    await other.leave()
    await waitToSee(ada, one, ['ada'])
    expect(passagesOf(ada, 'bob')).toEqual(['joined', 'left'])
  })

  it('never shows a subject to leave that comes from an instance that shuts down', async () => {
    const [here, there] = [await start(way), await start(way)]
    const ada = await there.open('ada', one)
    await waitToSee(ada, one, ['ada'])
    const bob = await here.open('bob', one)
    await here.open('eve', one)
    await waitToSee(ada, one, ['ada', 'bob', 'eve'])
    running.splice(running.indexOf(here), 1)
    await here.stop()
    await bob.ended
    await wait(600)
    const again = await there.open('bob', one)
    await waitToSee(again, one, ['ada', 'bob', 'eve'])
    // Its lease is now the grace: that of the other has 15 s more.
    await deadEnd(16)
    await waitToSee(ada, one, ['ada', 'bob'])
    expect(passagesOf(ada, 'bob')).toEqual(['joined'])
    expect(passagesOf(ada, 'eve')).toEqual(['joined', 'left'])
  })
})

describe.each(['log', 'cache'] as const)('an instance, by %s,', (way) => {
  it('that shuts down tells of those who have left right before', async () => {
    const [here, there] = [await start(way), await start(way)]
    const ada = await there.open('ada', one)
    await waitToSee(ada, one, ['ada'])
    const bob = await here.openSocket('bob', one)
    await waitToSee(ada, one, ['ada', 'bob'])
    bob.ws.close()
    await vi.waitFor(() => expect(here.infrastructure.streams.size).toBe(0), soon)
    running.splice(running.indexOf(here), 1)
    await here.stop()
    await waitToSee(ada, one, ['ada'])
  })

  it('whose rows are gone, since it was taken for dead, writes them again', async () => {
    const [here, there] = [await start(way), await start(way)]
    const ada = await there.open('ada', one)
    await waitToSee(ada, one, ['ada'])
    await here.open('bob', one)
    await waitToSee(ada, one, ['ada', 'bob'])
    await database.pool.query(
      `update svc_core.presence_instances set until = now() - interval '2 minutes'
       where id = (select instance from svc_core.followers where subject = 'bob' and resource = $1)`,
      [idOf(one)],
    )
    await waitToSee(ada, one, ['ada'])
    await database.pool.query(
      `delete from svc_core.presence_instances instance where until < now()
       and not exists (select from svc_core.followers where instance = instance.id)`,
    )
    await here.open('eve', one)
    await waitToSee(ada, one, ['ada', 'bob', 'eve'])
    expect(passagesOf(ada, 'bob')).toEqual(['joined', 'left', 'joined'])
  })

  it('opens streams while its database cannot say who is there, and tells it later', async () => {
    const { open, logged } = await start(way)
    await database.pool.query('alter table svc_core.followers rename to followers_away')
    try {
      const ada = await open('ada', one)
      await wait(300)
      expect(toldOf(ada)).toEqual([])
      await database.pool.query('alter table svc_core.followers_away rename to followers')
      await waitToSee(ada, one, ['ada'])
    } finally {
      await database.pool
        .query('alter table if exists svc_core.followers_away rename to followers')
        .catch(() => {})
    }
    const errors = logged.filter(({ level }) => level === 'error').map(({ msg }) => String(msg))
    expect(errors.toSorted()).toEqual([
      'it cannot be read who follows channels with presence',
      'it cannot be written who follows channels with presence: it is tried again',
    ])
  })
})

describe('what comes over a cache', () => {
  it('is looked at, and not believed', async () => {
    const { open, roomSaid } = await start('cache')
    const ada = await open('ada', one)
    await waitToSee(ada, one, ['ada'])
    await roomSaid['~presence'].emit({ of: idOf(one), left: ['ada'] })
    await roomSaid['~presence'].emit({ of: idOf(one), joined: ['nobody'] })
    await wait(300)
    expect(seenBy(ada, one)).toEqual(['ada'])
    expect(passagesOf(ada, 'nobody')).toEqual([])
  })
})

describe('a stream that comes again', () => {
  it('gets who came and went meanwhile, in order with the rest, and then who is there', async () => {
    const [here, there] = [await start('log'), await start('log')]
    const ada = await here.open('ada', one)
    await waitToSee(ada, one, ['ada'])
    const keeper = await here.open('keeper', one)
    await waitToSee(keeper, one, ['ada', 'keeper'])
    await waitToSee(ada, one, ['ada', 'keeper'])
    const lastId = ada.frames.findLast(({ id }) => id)?.id
    await ada.leave()
    await waitToSee(keeper, one, ['keeper'])
    const bob = await there.open('bob', one)
    await waitToSee(keeper, one, ['bob', 'keeper'])
    await here.roomSaid.of(idOf(one)).emit({ text: 'hi' })
    const witness = await there.open('keeper', one)
    await bob.leave()
    // Here and there, each has read all of it.
    await waitToSee(keeper, one, ['keeper'])
    await waitToSee(witness, one, ['keeper'])
    const again = await there.open('ada', one, lastId)
    await vi.waitFor(() => expect(toldOf(again).some(({ present }) => present)).toBe(true), soon)
    const told = again.frames.flatMap(({ event, data }) => {
      if (event === 'connected' || event === 'ping') return []
      const { text, joined, left } = data as Partial<Record<'text' | 'joined' | 'left', string>>
      return [text ?? (joined ? `joined ${joined}` : left ? `left ${left}` : 'present')]
    })
    const untilShown = told.slice(0, told.indexOf('present'))
    expect(untilShown.filter((each) => each !== 'joined ada')).toEqual([
      'left ada',
      'joined bob',
      'hi',
      'left bob',
    ])
    await waitToSee(again, one, ['ada', 'keeper'])
  })
})

describe('channels with presence', () => {
  const room = defineChannel('room.said', t.Null(), { presence: true })

  it('need streams that know whose they are', async () => {
    const open = [
      defineServer().events(defineEventRouter({ room })),
      defineServer().websockets(defineWebSocketRouter({ events: { room } })),
    ]
    for (const definition of open) {
      await expect(startTestServer(definition)).rejects.toThrow(
        'The channel "room" tells who follows it',
      )
    }
  })

  it('leave no event or message the name of what they tell, and only they take it', () => {
    const presence = defineEvent('presence')
    expect(() => defineEventRouter({ room, presence })).toThrow('presence')
    expect(() =>
      defineWebSocketRouter({ events: { room }, messages: { presence: () => {} } }),
    ).toThrow('presence')
    const plain = defineChannel('plain', t.Null())
    expect(defineEventRouter({ plain, presence }).hasPresence).toBe(false)
  })

  it('are known to jobs', async () => {
    const counted = Promise.withResolvers<string[]>()
    const count = defineJob('count.room')
      .input(t.String())
      .handler(async (id) => counted.resolve(await room.of(id).present()))
    const definition = defineServer()
      .jobs(defineJobRouter({ count }))
      .events(defineEventRouter({ room }), {
        auth: { enabled: true, channels: { room: () => true } },
      })
    const server = await startTestServer(definition, { env: { DATABASE_URL: database.url } })
    await server.within(() => count.enqueue('1'))
    expect(await counted.promise).toEqual([])
    await server.stop()
  })

  it('are known to nobody where no server streams them', async () => {
    await expect(room.of('1').present()).rejects.toThrow('No server of this process knows')
  })

  it('are told by an instance that is alone with its database', async () => {
    const { open } = await start('database alone')
    const ada = await open('ada', one)
    await waitToSee(ada, one, ['ada'])
    const bob = await open('bob', one)
    await waitToSee(ada, one, ['ada', 'bob'])
    await bob.leave()
    await waitToSee(ada, one, ['ada'])
    expect(passagesOf(ada, 'bob')).toEqual(['joined', 'left'])
  })

  it('stay in their process where events do', async () => {
    const definition = () =>
      defineServer().events(defineEventRouter({ room }), {
        multiInstance: false,
        auth: { enabled: true, channels: { room: () => true } },
      })
    const env = { DATABASE_URL: database.url, CACHE_URL: 'postgres:' }
    const count = async () =>
      (await database.pool.query('select from svc_core.presence_instances')).rows.length
    const before = await count()
    const server = await startTestServer(definition(), { env })
    expect(await count()).toBe(before)
    await server.stop()
  })
})
