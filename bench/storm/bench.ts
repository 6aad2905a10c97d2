import { goalOf, type Options, resultOf } from '../harness/result.ts'
import { type StormRow, storms } from './storm.ts'
import { refusalMillis, slowdown, stormP99, stormTable } from './table.ts'

const svcOf = (rows: StormRow[]) => rows.find(({ peer }) => peer.file.endsWith('svc.ts'))

export async function storm(options: Options) {
  const rounds = options.quick ? 1 : 5
  const plan = { rounds, idleMillis: 6000, perSecond: 200 }
  const steady = await storms({ ...plan, people: 32, stormMillis: options.quick ? 5000 : 15_000 })
  const flood = await storms({ ...plan, people: 300, stormMillis: 0 })
  const [svcSteady, svcFlood] = [svcOf(steady.rows), svcOf(flood.rows)]
  const under = (bound: number) => (value: number) => value < bound

  return resultOf('storm', options, {
    method:
      'One durable PostgreSQL for all, a pool of 10 connections each. 200 signed requests (or requests with a session) a ' +
      'second come from a process of their own, whether or not the earlier ones are answered; beside them people log in ' +
      'with passwords, each from an address of their own: 32 for 15 s, as soon as they are answered or, where they are ' +
      'refused, when they are told to come again; and 300 at the same moment, once. Medians over ' +
      `${rounds} rounds of all servers in turn, after one that warms up. Passwords are hashed by bcrypt with 12 rounds, ` +
      'better-auth’s by its own scrypt.',
    tables: [
      stormTable('Signed requests while 32 people go on logging in', steady.rows),
      stormTable('Signed requests while 300 people log in at once', flood.rows),
    ],
    goals: [
      goalOf(
        'p99 of signed requests while 32 go on logging in, under 2 × idle',
        svcSteady && slowdown(svcSteady),
        under(2),
        '×',
      ),
      goalOf(
        'p99 of signed requests while 300 log in at once, at most 250 ms',
        svcFlood && stormP99(svcFlood),
        under(250),
        'ms',
      ),
      goalOf(
        'excess logins of 300 at once refused within 200 ms',
        svcFlood && refusalMillis(svcFlood),
        under(200),
        'ms',
      ),
    ],
    notes: [...new Set([...steady.skipped, ...flood.skipped])],
  })
}
