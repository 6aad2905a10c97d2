import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { connectDatabase } from '../database/server.ts'
import { defineServer, migrationSources } from '../index.ts'
import { createLogger } from '../observation/logger.ts'
import { createTestDatabase } from '../testing/test-database.ts'
import { createVirtualClock } from '../testing/virtual-clock.ts'
import { DatabasePresence } from './database-presence.ts'
import { MemoryPresence } from './memory-presence.ts'
import {
  type Follower,
  type FollowerChanges,
  mostAtOnce,
  type PresenceStore,
} from './presence-store.ts'
import { due } from './statements.ts'

let database: Awaited<ReturnType<typeof createTestDatabase>>
beforeAll(async () => {
  database = await createTestDatabase({ sources: migrationSources(defineServer()) })
})
afterAll(() => database.drop())

const follower = (subject: string, resource = '1'): Follower => ({
  channel: 'room',
  resource,
  subject,
  connection: randomUUID(),
})

/** What stores have told, in the order in which they did. */
let told: string[]
beforeEach(() => {
  told = []
})

function useStore(store: PresenceStore) {
  const tell: Parameters<PresenceStore['write']>[1] = async ({ joined, left }) => {
    told.push(...joined.map(({ subject }) => `${subject} joined`))
    told.push(...left.map(({ subject }) => `${subject} left`))
  }
  const change = (changes: Partial<FollowerChanges>) =>
    store.write({ arrived: [], left: [], dropped: [], ...changes }, tell)
  return {
    store,
    change,
    arrive: (...arrived: Follower[]) => change({ arrived }),
    leave: (...left: Follower[]) => change({ left }),
    drop: (...dropped: Follower[]) => change({ dropped }),
    sweep: () => store.sweep(tell),
    present: (resource = '1') => store.present({ channel: 'room', resource }),
  }
}

type Store = ReturnType<typeof useStore>

const openDatabaseStore = async (channels = ['room'], own: typeof database = database) => {
  const store = useStore(new DatabasePresence(own, channels))
  await store.store.open()
  return store
}

const query = async (text: string, values: unknown[] = []) =>
  (await database.pool.query(text, values)).rows

const endLeases = (table: 'followers' | 'presence_instances', seconds = 1) =>
  query(`update svc_core.${table} set until = now() - $1::interval where until is not null`, [
    `${seconds} seconds`,
  ])

const stores: Record<string, () => Promise<Store & { graceEnds(): Promise<unknown> }>> = {
  memory: async () => {
    const clock = createVirtualClock()
    return {
      ...useStore(new MemoryPresence(clock)),
      graceEnds: async () => clock.advance('15s'),
    }
  },
  database: async () => ({
    ...(await openDatabaseStore()),
    graceEnds: () => endLeases('followers'),
  }),
}

beforeEach(() => query('truncate svc_core.followers, svc_core.presence_instances'))

describe.each(Object.entries(stores))('presence in the %s', (_, open) => {
  it('tells of a subject once that it has joined and once that it has left, by however many connections', async () => {
    const { arrive, leave, present } = await open()
    const [one, other, late] = [follower('u1'), follower('u1'), follower('u1')]
    await arrive(one, other)
    await arrive(late)
    expect(await present()).toEqual(['u1'])
    await leave(one, late)
    await arrive(late)
    await leave(other)
    expect(told).toEqual(['u1 joined'])
    await leave(late)
    await leave(late)
    expect(told).toEqual(['u1 joined', 'u1 left'])
    expect(await present()).toEqual([])
  })

  it('keeps resources and subjects apart', async () => {
    const { store, arrive, present } = await open()
    const seated = [follower('u2'), follower('u1'), follower('u3', '2')]
    await arrive(...seated)
    expect([await present(), await present('2'), await present('3')]).toEqual([
      ['u1', 'u2'],
      ['u3'],
      [],
    ])
    const resources = ['1', '3'].map((resource) => ({ channel: 'room', resource }))
    const followers = await store.followersOf(resources)
    expect(followers.map(({ subject }) => subject).toSorted()).toEqual(['u1', 'u2'])
    const asked = [...seated, follower('u4'), follower('u1', '2')]
    const following = await store.following(asked)
    expect(following.map(({ subject, resource }) => `${subject} ${resource}`).toSorted()).toEqual([
      'u1 1',
      'u2 1',
      'u3 2',
    ])
  })

  it('writes what leaves and what comes in one moment as what they come to', async () => {
    const { arrive, change } = await open()
    const [old, fresh, guest] = [follower('u1'), follower('u1'), follower('u2')]
    await arrive(old)
    await change({ left: [old], arrived: [fresh, guest] })
    expect(told).toEqual(['u1 joined', 'u2 joined'])
  })

  it('keeps a connection that has broken off for a grace, and tells then that it has left', async () => {
    const { arrive, drop, sweep, present, graceEnds } = await open()
    const [one, other] = [follower('u1'), follower('u2')]
    await arrive(one, other)
    await drop(one)
    expect([await sweep(), await present()]).toEqual([0, ['u1', 'u2']])
    await graceEnds()
    expect(await present()).toEqual(['u2'])
    expect([await sweep(), await sweep()]).toEqual([1, 0])
    expect(told).toEqual(['u1 joined', 'u2 joined', 'u1 left'])
  })

  it('never tells that a subject has left that comes back within the grace', async () => {
    const { arrive, drop, sweep, graceEnds, present } = await open()
    const broken = follower('u1')
    await arrive(broken)
    await drop(broken)
    await arrive(follower('u1'))
    await graceEnds()
    await sweep()
    expect([told, await present()]).toEqual([['u1 joined'], ['u1']])
  })

  it('tells nothing of one that comes back before it was told that it had left', async () => {
    const { arrive, drop, sweep, graceEnds, present } = await open()
    const broken = follower('u1')
    await arrive(broken)
    await drop(broken)
    await graceEnds()
    await arrive(follower('u1'))
    await sweep()
    expect([told, await present()]).toEqual([['u1 joined'], ['u1']])
  })

  it('forgets what it never had, and drops it as well', async () => {
    const { leave, drop, sweep } = await open()
    await leave(follower('u1'))
    await drop(follower('u1'))
    await sweep()
    expect(told).toEqual([])
  })

  it('takes names that are all but the same, and any text', async () => {
    const { arrive, present } = await open()
    await arrive(follower("u'1"), follower('u\n1'), follower('ü 😀'), follower('u1', 'a\\b'))
    expect((await present()).toSorted()).toEqual(['u\n1', "u'1", 'ü 😀'].toSorted())
    expect(await present('a\\b')).toEqual(['u1'])
  })
})

describe('leases', () => {
  it('hold all connections of an instance, and end with it', async () => {
    const [here, there] = [await openDatabaseStore(), await openDatabaseStore()]
    await here.arrive(follower('u1'), follower('u2'))
    await there.arrive(follower('u1'))
    await endLeases('presence_instances')
    expect(await there.store.renew()).toBe(false)
    expect(await there.present()).toEqual(['u1'])
    await there.sweep()
    expect(told).toEqual(['u1 joined', 'u2 joined', 'u2 left'])
  })

  it('are renewed for 30 s, and an instance hears whether its own has held', async () => {
    const { store } = await openDatabaseStore()
    expect(await store.renew()).toBe(true)
    const [row] = await query(
      'select extract(epoch from until - now())::float8 as left from svc_core.presence_instances',
    )
    expect(row.left).toBeGreaterThan(29)
    await endLeases('presence_instances')
    expect(await store.renew()).toBe(false)
    expect(await store.renew()).toBe(true)
  })

  it('are shortened to the grace by a shutdown, and never lengthened', async () => {
    const { store, arrive, present } = await openDatabaseStore()
    await arrive(follower('u1'))
    await store.close()
    const left = async () => {
      const [row] = await query(
        'select extract(epoch from until - now())::float8 as left from svc_core.presence_instances',
      )
      return row.left
    }
    expect(await left()).toBeLessThan(15.1)
    expect(await left()).toBeGreaterThan(14)
    expect(await present()).toEqual(['u1'])
    await endLeases('presence_instances')
    await store.close()
    expect(await left()).toBeLessThan(0)
  })

  it('of a connection count before those of its instance', async () => {
    const { arrive, drop, sweep, present } = await openDatabaseStore()
    const broken = follower('u1')
    await arrive(broken)
    await drop(broken)
    await endLeases('presence_instances')
    expect([await present(), await sweep()]).toEqual([['u1'], 0])
  })

  it('that are over are looked for without reading those that hold', async () => {
    const { arrive, sweep } = await openDatabaseStore()
    await query(
      `insert into svc_core.followers (channel, resource, subject, connection, instance)
       select 'room', n % 100, n, gen_random_uuid(), id
       from svc_core.presence_instances, generate_series(1, 20000) n`,
    )
    await query('analyze svc_core.followers, svc_core.presence_instances')
    const text = due([]).text.replace('$1', "'{room}'")
    const [{ 'QUERY PLAN': plan }] = await query(`explain (analyze, buffers, format json) ${text}`)
    expect(plan[0].Plan['Shared Hit Blocks'] + plan[0].Plan['Shared Read Blocks']).toBeLessThan(20)
    await arrive(follower('u1'))
    expect(await sweep()).toBe(0)
  })

  it('of a channel that this release does not have are left to another, for an hour', async () => {
    const [old, fresh] = [await openDatabaseStore(['room']), await openDatabaseStore(['game'])]
    await old.arrive(follower('u1'))
    await old.drop(follower('u1'))
    await endLeases('presence_instances')
    expect(await fresh.sweep()).toBe(0)
    await endLeases('presence_instances', 3601)
    expect(await fresh.sweep()).toBe(1)
  })

  it('leave nothing behind of an instance that is gone', async () => {
    const [here, there] = [await openDatabaseStore(), await openDatabaseStore()]
    await here.arrive(follower('u1'))
    await query(
      `update svc_core.presence_instances set until = now() - interval '2 minutes'
       where id = (select instance from svc_core.followers)`,
    )
    const count = async () =>
      (await query('select count(*)::int as count from svc_core.presence_instances'))[0].count
    await there.store.renew()
    expect(await count()).toBe(2)
    await there.sweep()
    await there.store.renew()
    expect(await count()).toBe(1)
    // It was only slow: what it has comes back as new.
    expect(await here.store.renew()).toBe(false)
    await here.arrive(follower('u1'))
    expect(told).toEqual(['u1 joined', 'u1 left', 'u1 joined'])
  })
})

describe('of sixteen at once (R44)', () => {
  const sixteen = Array.from({ length: 16 }, (_, at) => at)
  let connections: { url: string; db: typeof database }[]
  beforeAll(async () => {
    const log = createLogger({ level: 'silent' })
    connections = await Promise.all(
      sixteen.map(async () => {
        const db = await connectDatabase(database.url, { log, maxConnections: 2 })
        return { url: database.url, db: db as typeof database }
      }),
    )
  })
  afterAll(() => Promise.all(connections.map(({ db }) => db.close())))

  const openAll = () => Promise.all(connections.map(({ db }) => openDatabaseStore(['room'], db)))

  async function rounds(run: (instances: Store[], round: number) => Promise<void>) {
    const instances = await openAll()
    const count = Number(process.env.SVC_TEST_ROUNDS ?? 4)
    for (let round = 0; round < count; round++) {
      told = []
      await query('delete from svc_core.followers')
      await run(instances, round)
    }
  }

  it('instances by which a subject comes, one tells that it has joined, and of those that it leaves, one', () =>
    rounds(async (instances) => {
      const own = instances.map(() => follower('u1'))
      await Promise.all(instances.map(({ arrive }, at) => arrive(own[at] as Follower)))
      expect(told).toEqual(['u1 joined'])
      await Promise.all(instances.map(({ leave }, at) => leave(own[at] as Follower)))
      expect(told).toEqual(['u1 joined', 'u1 left'])
    }))

  it('sweepers that drop connections of a subject, one tells that it has left', () =>
    rounds(async (instances) => {
      const own = instances.map(() => follower('u1'))
      await Promise.all(instances.map(({ arrive }, at) => arrive(own[at] as Follower)))
      // Each sweeps some of them, beside a client that leaves one.
      await query('update svc_core.followers set until = now() - random() * interval $$1 second$$')
      await Promise.all([
        ...instances.map(({ sweep }) => sweep()),
        ...instances.slice(0, 4).map(({ leave }, at) => leave(own[at] as Follower)),
      ])
      expect(told).toEqual(['u1 joined', 'u1 left'])
    }))

  it('two that each drop one of the last two do not leave it to each other', () =>
    rounds(async ([one, other], round) => {
      const [first, second] = [follower(`u${round}`), follower(`u${round}`)]
      await one?.arrive(first, second)
      await Promise.all([one?.leave(first), other?.leave(second)])
      expect(told).toEqual([`u${round} joined`, `u${round} left`])
    }))

  it('that come, leave, break off and are swept, in any order, what was told ends with what is so', () =>
    rounds(async (instances) => {
      const subjects = ['u1', 'u2', 'u3']
      await Promise.all(
        instances.map(async ({ arrive, leave, drop, sweep }, at) => {
          for (let n = 0; n < 6; n++) {
            const some = subjects.map((subject) => follower(subject))
            await arrive(...some.toSorted(() => Math.random() - 0.5))
            const [one, ...others] = some
            if (at % 2 === 0) await drop(...others)
            else await leave(...others)
            if (at % 3 === 0)
              await query(
                'update svc_core.followers set until = now() - interval $$1 second$$ where until is not null',
              )
            await sweep()
            if (n < 5 || at !== 0) await leave(one as Follower)
          }
        }),
      )
      await endLeases('followers')
      const [first] = instances
      while ((await first?.sweep()) === mostAtOnce);
      expect(await first?.present()).toEqual(['u1'])
      for (const subject of subjects) {
        const own = told.filter((each) => each.startsWith(subject))
        const alternating = own.map((_, at) => `${subject} ${at % 2 === 0 ? 'joined' : 'left'}`)
        expect(own).toEqual(alternating)
        expect(own.length % 2).toBe(subject === 'u1' ? 1 : 0)
      }
    }))
})
