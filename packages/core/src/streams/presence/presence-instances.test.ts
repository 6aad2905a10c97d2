import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import { orFew } from '../../../../../scripts/test/or-few.ts'
import { idOf, passagesOf, seenBy, soon, toldOf, useTestRooms, waitToSee } from './test-rooms.ts'

const rooms = useTestRooms()
const { start, stop, pool, deadEnd } = rooms

describe.each(orFew(['log', 'cache'] as const))('presence on two instances, by %s', (way) => {
  it('is one', async () => {
    const { one } = rooms
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
    const { one } = rooms
    const [here, there] = [await start(way), await start(way)]
    const ada = await there.open('ada', one)
    await waitToSee(ada, one, ['ada'])
    const bob = await here.open('bob', one)
    await here.open('eve', one)
    await waitToSee(ada, one, ['ada', 'bob', 'eve'])
    await stop(here)
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

describe.each(orFew(['log', 'cache'] as const))('an instance, by %s,', (way) => {
  it('that shuts down tells of those who have left right before', async () => {
    const { one } = rooms
    const [here, there] = [await start(way), await start(way)]
    const ada = await there.open('ada', one)
    await waitToSee(ada, one, ['ada'])
    const bob = await here.openSocket('bob', one)
    await waitToSee(ada, one, ['ada', 'bob'])
    bob.ws.close()
    await vi.waitFor(() => expect(here.infrastructure.streams.size).toBe(0), soon)
    await stop(here)
    await waitToSee(ada, one, ['ada'])
  })

  it('whose rows are gone, since it was taken for dead, writes them again', async () => {
    const { one } = rooms
    const [here, there] = [await start(way), await start(way)]
    const ada = await there.open('ada', one)
    await waitToSee(ada, one, ['ada'])
    await here.open('bob', one)
    await waitToSee(ada, one, ['ada', 'bob'])
    await pool().query(
      `update svc_core.presence_instances set until = now() - interval '2 minutes'
       where id = (select instance from svc_core.followers where subject = 'bob' and resource = $1)`,
      [idOf(one)],
    )
    await waitToSee(ada, one, ['ada'])
    await pool().query(
      `delete from svc_core.presence_instances instance where until < now()
       and not exists (select from svc_core.followers where instance = instance.id)`,
    )
    await here.open('eve', one)
    await waitToSee(ada, one, ['ada', 'bob', 'eve'])
    expect(passagesOf(ada, 'bob')).toEqual(['joined', 'left', 'joined'])
  })

  it('opens streams while its database cannot say who is there, and tells it later', async () => {
    const { one } = rooms
    const { open, logged } = await start(way)
    await pool().query('alter table svc_core.followers rename to followers_away')
    try {
      const ada = await open('ada', one)
      await wait(300)
      expect(toldOf(ada)).toEqual([])
      await pool().query('alter table svc_core.followers_away rename to followers')
      await waitToSee(ada, one, ['ada'])
    } finally {
      await pool()
        .query('alter table if exists svc_core.followers_away rename to followers')
        .catch(() => {})
    }
    const errors = logged.filter(({ level }) => level === 'error').map(({ msg }) => String(msg))
    expect(errors.toSorted()).toEqual([
      'presence of channels cannot be read',
      'presence of channels cannot be written, and is tried again',
    ])
  })
})

describe('what comes over a cache', () => {
  it('is looked at, and not believed', async () => {
    const { one } = rooms
    const { open, roomSaid } = await start('cache')
    const ada = await open('ada', one)
    await waitToSee(ada, one, ['ada'])
    await roomSaid['~presence'].emit({ of: idOf(one), left: ['ada'] })
    await roomSaid['~presence'].emit({ of: idOf(one), joined: ['eve'] })
    await wait(300)
    expect(seenBy(ada, one)).toEqual(['ada'])
    expect(passagesOf(ada, 'eve')).toEqual([])
  })
})

describe('a stream that comes again', () => {
  it('gets who came and went meanwhile, in order with the rest, and then who is there', async () => {
    const { one } = rooms
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
