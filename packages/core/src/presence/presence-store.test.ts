import { describe, expect, it } from 'vitest'
import { createVirtualClock } from '../testing/virtual-clock.ts'
import { MemoryPresence } from './memory-presence.ts'
import { due } from './statements.ts'
import { follower, type TestStore, useTestStores } from './test-store.ts'

const { use, open, told, query, endLeases } = useTestStores()

const stores: Record<string, () => Promise<TestStore & { graceEnds: () => Promise<unknown> }>> = {
  memory: async () => {
    const clock = createVirtualClock()
    return {
      ...use(new MemoryPresence(clock)),
      graceEnds: async () => clock.advance('15s'),
    }
  },
  database: async () => ({
    ...(await open()),
    graceEnds: () => endLeases('followers'),
  }),
}

describe.each(Object.entries(stores))('presence in the %s', (_, start) => {
  it('tells of a subject once that it has joined and once that it has left, by however many connections', async () => {
    const { arrive, leave, present } = await start()
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
    const { store, arrive, present } = await start()
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
    const { arrive, change } = await start()
    const [old, fresh, guest] = [follower('u1'), follower('u1'), follower('u2')]
    await arrive(old)
    await change({ left: [old], arrived: [fresh, guest] })
    expect(told).toEqual(['u1 joined', 'u2 joined'])
  })

  it('keeps a connection that has broken off for a grace, and tells then that it has left', async () => {
    const { arrive, drop, sweep, present, graceEnds } = await start()
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
    const { arrive, drop, sweep, graceEnds, present } = await start()
    const broken = follower('u1')
    await arrive(broken)
    await drop(broken)
    await arrive(follower('u1'))
    await graceEnds()
    await sweep()
    expect([told, await present()]).toEqual([['u1 joined'], ['u1']])
  })

  it('tells nothing of one that comes back before it was told that it had left', async () => {
    const { arrive, drop, sweep, graceEnds, present } = await start()
    const broken = follower('u1')
    await arrive(broken)
    await drop(broken)
    await graceEnds()
    await arrive(follower('u1'))
    await sweep()
    expect([told, await present()]).toEqual([['u1 joined'], ['u1']])
  })

  it('forgets what it never had, and drops it as well', async () => {
    const { leave, drop, sweep } = await start()
    await leave(follower('u1'))
    await drop(follower('u1'))
    await sweep()
    expect(told).toEqual([])
  })

  it('takes names that are all but the same, and any text', async () => {
    const { arrive, present } = await start()
    await arrive(follower("u'1"), follower('u\n1'), follower('ü 😀'), follower('u1', 'a\\b'))
    expect((await present()).toSorted()).toEqual(['u\n1', "u'1", 'ü 😀'].toSorted())
    expect(await present('a\\b')).toEqual(['u1'])
  })
})

describe('leases', () => {
  it('hold all connections of an instance, and end with it', async () => {
    const [here, there] = [await open(), await open()]
    await here.arrive(follower('u1'), follower('u2'))
    await there.arrive(follower('u1'))
    await endLeases('presence_instances')
    expect(await there.store.renew()).toBe(false)
    expect(await there.present()).toEqual(['u1'])
    await there.sweep()
    expect(told).toEqual(['u1 joined', 'u2 joined', 'u2 left'])
  })

  it('are renewed for 30 s, and an instance hears whether its own has held', async () => {
    const { store } = await open()
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
    const { store, arrive, present } = await open()
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
    const { arrive, drop, sweep, present } = await open()
    const broken = follower('u1')
    await arrive(broken)
    await drop(broken)
    await endLeases('presence_instances')
    expect([await present(), await sweep()]).toEqual([['u1'], 0])
  })

  it('that are over are looked for without reading those that hold', async () => {
    const { arrive, sweep } = await open()
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
    const [old, fresh] = [await open(['room']), await open(['game'])]
    await old.arrive(follower('u1'))
    await old.drop(follower('u1'))
    await endLeases('presence_instances')
    expect(await fresh.sweep()).toBe(0)
    await endLeases('presence_instances', 3601)
    expect(await fresh.sweep()).toBe(1)
  })

  it('leave nothing behind of an instance that is gone', async () => {
    const [here, there] = [await open(), await open()]
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
