import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectDatabase, type Database } from '../database/server.ts'
import { createLogger } from '../observation/logger.ts'
import { type Follower, mostAtOnce } from './presence-store.ts'
import { follower, type TestStore, useTestStores } from './test-store.ts'

const test = useTestStores()
const { told, query, endLeases } = test

const count = Number(process.env.SVC_TEST_ROUNDS ?? 4)
const share = Number(process.env.SVC_TEST_SHARE_OF_VARIANTS ?? 0.05)
const sixteen = Array.from({ length: 16 }, (_, at) => at)

let connections: Database[]
beforeAll(async () => {
  const log = createLogger({ level: 'silent' })
  const connect = () => connectDatabase(test.url, { log, maxConnections: 2 })
  connections = await Promise.all(sixteen.map(connect))
})
afterAll(() => Promise.all(connections.map((each) => each.close())))

/** Each round begins with no subject there, and ends with what was told of each subject: it alternates. */
async function race(rounds: number, run: (instances: TestStore[], round: number) => Promise<void>) {
  const instances = await Promise.all(connections.map((each) => test.open(['room'], each)))
  for (let round = 0; round < rounds; round++) {
    told.length = 0
    await query('delete from svc_core.followers')
    await run(instances, round)
    for (const subject of new Set(told.map((each) => each.split(' ')[0]))) {
      const own = told.filter((each) => each.startsWith(`${subject} `))
      expect(own).toEqual(own.map((_, at) => `${subject} ${at % 2 === 0 ? 'joined' : 'left'}`))
    }
  }
}

const timeout = Math.max(60_000, count * 500)

describe('sixteen instances', () => {
  it(
    'R44: of those over which a subject comes one tells it, and of those over which it leaves one',
    { timeout },
    () =>
      race(count, async (instances) => {
        const own = instances.map(() => follower('u1'))
        await Promise.all(instances.map(({ arrive }, at) => arrive(own[at] as Follower)))
        expect(told).toEqual(['u1 joined'])
        await Promise.all(instances.map(({ leave }, at) => leave(own[at] as Follower)))
        expect(told).toEqual(['u1 joined', 'u1 left'])
      }),
  )

  it(
    'R44: of those that sweep the connections of a subject one tells that it has left',
    { timeout },
    () =>
      race(count, async (instances) => {
        const own = instances.map(() => follower('u1'))
        await Promise.all(instances.map(({ arrive }, at) => arrive(own[at] as Follower)))
        // Each finds some of them, beside clients that leave.
        await query(
          'update svc_core.followers set until = now() - random() * interval $$1 second$$',
        )
        await Promise.all([
          ...instances.map(({ sweep }) => sweep()),
          ...instances.slice(0, 4).map(({ leave }, at) => leave(own[at] as Follower)),
        ])
        expect(told).toEqual(['u1 joined', 'u1 left'])
      }),
  )

  it(
    'R44: sweep what a killed one has had, while its subjects come back over them',
    { timeout },
    () =>
      race(count, async (instances) => {
        const killed = await test.open()
        const subjects = ['u1', 'u2', 'u3']
        await killed.arrive(...subjects.map((subject) => follower(subject)))
        await endLeases('presence_instances')
        await Promise.all(instances.map(({ store }) => store.renew()))
        const back = instances.map((_, at) => follower(subjects[at % 2] as string))
        await Promise.all(
          instances.flatMap(({ sweep, arrive }, at) => [sweep(), arrive(back[at] as Follower)]),
        )
        await instances[0]?.sweep()
        expect(await instances[0]?.present()).toEqual(['u1', 'u2'])
        expect(told.filter((each) => each.startsWith('u3'))).toEqual(['u3 joined', 'u3 left'])
      }),
  )

  it(
    'R44: sweep an instance that renews its lease in the moment in which it ends',
    { timeout },
    () =>
      race(count, async (instances) => {
        const slow = await test.open()
        await slow.arrive(follower('u1'))
        await query(
          `update svc_core.presence_instances set until = clock_timestamp() + interval '15 milliseconds'
         where id = (select instance from svc_core.followers)`,
        )
        const renewing = new Promise((resolve) => setTimeout(resolve, 14)).then(
          slow.store.renew.bind(slow.store),
        )
        const sweeping = instances.map(async ({ sweep }) => {
          for (let n = 0; n < 4; n++) await sweep()
        })
        const [hasHeld] = await Promise.all([renewing, ...sweeping])
        // One that hears that it has held is there. Else it is told again by what it has.
        if (hasHeld) expect(told).toEqual(['u1 joined'])
      }),
  )

  it(
    'of the last two connections, those that each take one do not leave it to each other',
    { timeout },
    () =>
      race(count, async ([one, other], round) => {
        const [first, second] = [follower(`u${round}`), follower(`u${round}`)]
        await one?.arrive(first, second)
        await Promise.all([one?.leave(first), other?.leave(second)])
        expect(told).toEqual([`u${round} joined`, `u${round} left`])
      }),
  )

  it('have told what is so, while streams come, leave, break off and are swept', { timeout }, () =>
    race(Math.ceil(count * share), async (instances) => {
      const subjects = ['u1', 'u2', 'u3']
      await Promise.all(
        instances.map(async ({ arrive, leave, drop, sweep }, at) => {
          for (let n = 0; n < 6; n++) {
            const some = subjects.map((subject) => follower(subject))
            await arrive(...some.toSorted(() => Math.random() - 0.5))
            const [one, ...others] = some
            if (at % 2 === 0) await drop(...others)
            else await leave(...others)
            if (at % 3 === 0) await endLeases('followers')
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
        const own = told.filter((each) => each.startsWith(`${subject} `))
        expect(own.length % 2).toBe(subject === 'u1' ? 1 : 0)
      }
    }),
  )
})
