import { chosenOf, goalOf, type Options, resultOf } from '../harness/result.ts'
import { stormPeers } from './peers.ts'
import { type StormRow, storms } from './storm.ts'
import {
  burstTable,
  rateBeside,
  refusalMillis,
  slowdown,
  steadyTable,
  stormP99,
  timeBeside,
} from './table.ts'

const svcOf = (rows: StormRow[]) => rows.find(({ peer }) => peer.file.endsWith('svc.ts'))

function sizesOf({ quick, smoke }: Options) {
  if (smoke) return { people: 2, stormMillis: 500, crowd: 4 }
  return { people: 32, stormMillis: quick ? 5000 : 15_000, crowd: 300 }
}

export async function storm(options: Options) {
  const rounds = options.quick ? 1 : 5
  const idleMillis = options.smoke ? 1200 : 6000
  const plan = { rounds, warms: !options.smoke, idleMillis, perSecond: 200 }
  const { people, stormMillis, crowd } = sizesOf(options)
  const peers = chosenOf(options, stormPeers).map((peer) => ({
    ...peer,
    accounts: Math.min(peer.accounts, crowd),
  }))
  const steady = await storms(peers, { ...plan, people, stormMillis })
  const burst = await storms(peers, { ...plan, people: crowd, stormMillis: 0 })
  const [svcSteady, svcBurst] = [svcOf(steady.rows), svcOf(burst.rows)]
  const under = (bound: number) => (value: number) => value < bound

  return resultOf('storm', options, {
    method:
      'One durable PostgreSQL for all, a pool of 10 connections each. 200 signed requests (or requests with a session) a ' +
      'second come from a process of their own, whether or not the earlier ones are answered; beside them people log in ' +
      'with passwords, each from an address of their own: 32 for 15 s, one login after the other; and 300 at the same ' +
      'moment, until they are in. A refused login is retried when the server says so, with the place that is kept. Medians over ' +
      `${rounds} rounds of all servers in turn, after one that warms up; ratios are of the same round. Passwords are hashed ` +
      'by bcrypt with 12 rounds, better-auth’s by its own scrypt.',
    tables: [steadyTable(steady.rows), burstTable(burst.rows)],
    goals: [
      goalOf(
        'p99 of signed requests while 32 go on logging in, under 2 × idle',
        svcSteady && slowdown(svcSteady),
        under(2),
        '×',
      ),
      goalOf(
        'p99 of signed requests while 300 log in at once, at most 250 ms',
        svcBurst && stormP99(svcBurst),
        under(250),
        'ms',
      ),
      goalOf(
        'excess logins of 300 at once refused within 200 ms',
        svcBurst && refusalMillis(svcBurst),
        under(200),
        'ms',
      ),
      goalOf(
        'logins a second of 32 who go on, at least 0.95 × Fastify’s',
        svcSteady && rateBeside(steady.rows, svcSteady),
        (value) => value >= 0.95,
        '×',
      ),
      goalOf(
        'all of 300 at once in, within 1.1 × Fastify’s time',
        svcBurst && timeBeside(burst.rows, svcBurst),
        (value) => value <= 1.1,
        '×',
      ),
    ],
    notes: [],
    leftOut: [...new Set([...steady.skipped, ...burst.skipped])],
  })
}
