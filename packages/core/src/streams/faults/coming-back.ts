import { performance } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'vitest'
import { print, quantile } from './crowd.ts'
import { type Instance, startInstance } from './instance.ts'

/** Counters of the clients. */
export class Tally {
  minted = 0
  opened = 0
  refused = 0
  readonly backAt: number[] = []

  /** A stream has opened. */
  open() {
    this.opened += 1
    this.backAt.push(performance.now())
  }

  reset() {
    this.minted = 0
    this.opened = 0
    this.refused = 0
    this.backAt.length = 0
  }
}

async function until(isSo: () => boolean, millis: number) {
  const end = performance.now() + millis
  while (!isSo() && performance.now() < end) await wait(20)
}

interface Flock {
  tally: Tally
  /** Connects a client that reconnects by itself, and returns a function that ends it. */
  connect: (instance: Instance, user: string) => () => void
}

/** Kills a server with so many clients, restarts it, and waits until the last one is back. */
export async function expectAllBack(count: number, { tally, connect }: Flock) {
  const first = await startInstance()
  const leaving: (() => void)[] = []
  for (let n = 0; n < count; n++) {
    leaving.push(connect(first, `u${n}`))
    if (n % 100 === 99) await until(() => tally.opened > n - 100, 10_000)
  }
  await until(() => tally.opened === count, 30_000)
  expect(tally.opened).toBe(count)
  tally.reset()
  await first.kill()
  const began = performance.now()
  const second = await startInstance({}, { SVC_PORT: String(first.port) })
  const upAt = performance.now()
  await until(() => tally.opened >= count, 40_000)
  const { streams } = await second.ask('facts', undefined)
  const lastMillis = Math.max(...tally.backAt) - began
  print({
    clients: count,
    'server up after ms': upAt - began,
    'half are back after': quantile(tally.backAt, 0.5) - began,
    all: lastMillis,
    'tokens minted': tally.minted,
    'tokens refused': tally.refused,
  })
  expect(streams).toBe(count)
  expect(lastMillis).toBeLessThan(30_000)
  expect(tally.minted - tally.opened + tally.refused).toBeLessThan(count / 100)
  for (const leave of leaving) leave()
  await second.kill()
}
