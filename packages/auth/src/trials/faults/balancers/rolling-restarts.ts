import { loadavg } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, vi } from 'vitest'
import { startTestAuth } from '../../../testing.ts'
import { application } from './application.ts'
import { type Balancer, type Kind, startBalancer } from './balancer.ts'
import { startFleet } from './fleet.ts'
import { audience, type Rates, type Streamed, Visitors } from './visitors.ts'

/** Each of it is of each balancer. */
interface Size extends Rates {
  streams: number
  /** How often all three are restarted. */
  rounds: number
}

// Clients come back within ten seconds, and later where a second attempt is needed.
const backMillis = 40_000

type Outcome = Awaited<ReturnType<typeof outcomeOf>>

/** Restarts three instances one after the other, under the load of each of these balancers. */
export async function restartBehind(kinds: readonly Kind[], size: Size) {
  const stops: (() => Promise<void>)[] = []
  try {
    return await restartAll(kinds, size, stops)
  } finally {
    for (const stop of stops.toReversed()) await stop()
  }
}

async function restartAll(kinds: readonly Kind[], size: Size, stops: (() => Promise<void>)[]) {
  const env = { CACHE_URL: 'postgres:' }
  const auth = await startTestAuth({ definition: application(), env })
  stops.push(() => auth.stop())
  const fleet = await startFleet({
    ...env,
    ...variables,
    DATABASE_URL: auth.infrastructure.database?.url ?? '',
    SVC_AUTH_VERIFICATION_TOKEN_SECRET: auth.auth.env.SVC_AUTH_VERIFICATION_TOKEN_SECRET,
  })
  stops.push(() => fleet.stop())
  const places: { balancer: Balancer; visitors: Visitors }[] = []
  for (const [at, kind] of kinds.entries()) {
    const balancer = await startBalancer(kind, fleet.ports)
    // An account has a hundred devices at most: of one more, the oldest would be signed out.
    const others = Array.from({ length: size.rounds }, () => auth.signedInUser())
    const users = [await auth.signedInUser(), ...(await Promise.all(others))] as const
    const visitors = new Visitors(balancer.url, users, at * 1_000_000)
    stops.push(() => balancer.stop())
    stops.push(async () => visitors.leave())
    visitors.follow(size.streams)
    await until(visitors.streams, ({ opened }) => opened > 0)
    places.push({ balancer, visitors })
  }
  const crowds = places.map(({ visitors }) => visitors)
  const streams = crowds.flatMap((visitors) => visitors.streams)

  for (const visitors of crowds) visitors.start(size)
  await wait(1000)
  const codes: (number | null)[] = []
  for (let round = 0; round < size.rounds; round++) codes.push(...(await fleet.restartOneByOne()))
  await wait(1000)
  await Promise.all(crowds.map((visitors) => visitors.pause()))
  const said = crowds.flatMap(({ ticks }) => ticks)
  // What has not arrived by then is counted as lost.
  await until(streams, ({ got }) => got.length >= said.length).catch(() => {})
  return Promise.all(
    places.map((place) => outcomeOf({ ...place, said, codes, logged: fleet.logged })),
  )
}

function until(streams: readonly Streamed[], isSo: (stream: Streamed) => boolean) {
  return vi.waitFor(() => expect(streams.every(isSo)).toBe(true), backMillis)
}

const variables = {
  NODE_ENV: 'test',
  SVC_DATABASE_CONNECTIONS: '5',
  SVC_AUTH_BCRYPT_SALT_ROUNDS: '4',
  SVC_RATE_LIMIT: 'off',
  SVC_MAIL_URL: 'none',
  SVC_SMS_URL: 'none',
  SVC_LOG_LEVEL: 'error',
  SVC_HOST: '127.0.0.1',
  SVC_API_URL: audience,
  SVC_TRUSTED_PROXY_HOPS: '1',
  // Balancers that ask once a second, and believe the second answer, have noticed by then.
  SVC_SHUTDOWN_DELAY: '3s',
}

interface Ended {
  balancer: Balancer
  visitors: Visitors
  /** What was acknowledged, behind any of the balancers. */
  said: readonly number[]
  codes: readonly (number | null)[]
  logged: readonly string[]
}

async function outcomeOf({ balancer, visitors, said, codes, logged }: Ended) {
  const { streams } = visitors
  const losses = streams.flatMap((stream) => stream.losses)
  const devices = await visitors.askWithEveryKey()
  const orders = [0, 1].map((parity) => streams.filter((_, at) => at % 2 === parity))
  return {
    balancer: balancer.kind,
    codes,
    logged,
    requests: visitors.sent,
    failures: visitors.failures,
    addresses: [...visitors.addresses],
    devices,
    events: said.length,
    streams: streams.length,
    returns: streams.reduce((sum, { opened }) => sum + opened - 1, 0),
    losses,
    lost: streams.reduce((sum, { got }) => sum + missingIn(got, said), 0),
    doubled: streams.reduce((sum, { got }) => sum + got.length - new Set(got).size, 0),
    // Each kind of stream has a log of its own, and so an order of its own.
    orders: orders.map((each) => new Set(each.map(({ got }) => got.join())).size),
    broken: await balancer.brokenConnections(),
  }
}

function missingIn(got: readonly number[], said: readonly number[]) {
  const arrived = new Set(got)
  return said.filter((n) => !arrived.has(n)).length
}

/** Holds it to what is promised, and prints what was measured. */
export function expectNothingLost(outcome: Outcome) {
  const { balancer, requests, failures, events, streams, returns, devices } = outcome
  process.stdout.write(
    `F27: ${balancer}: ${requests} requests, ${failures.length} failed; ${events} events to each of ${streams} streams, which came back ${returns} times; ${outcome.lost} lost, ${outcome.doubled} doubled; ${devices} devices (load ${loadavg()[0]?.toFixed(1)})\n`,
  )
  expect(outcome.codes.filter((code) => code !== 0)).toEqual([])
  const { broken, logged } = outcome
  expect({ failures, broken }, logged.join('')).toEqual({ failures: [], broken: [] })
  expect(outcome.losses).toEqual([])
  expect({ lost: outcome.lost, doubled: outcome.doubled }).toEqual({ lost: 0, doubled: 0 })
  expect(outcome.orders).toEqual([1, 1])
  expect(outcome.addresses).toEqual(['127.0.0.1'])
  // The test has had something to lose.
  expect(returns).toBeGreaterThanOrEqual(streams)
  expect(devices).toBeGreaterThan(5)
}
