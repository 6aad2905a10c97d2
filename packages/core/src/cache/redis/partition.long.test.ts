import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createLogger } from '../../observation/logger.ts'
import type { Cache } from '../cache.ts'
import { connectCache } from '../server.ts'
import { redisProgram } from '../test-redis.ts'
import { startTestPartition, type TestPartition } from './test-partition.ts'

const reason = redisProgram ? '' : ' (no redis-server on PATH)'
const minute = 60_000
const log = createLogger({ level: 'silent' })
const guide = readFileSync(new URL('../../../../../docs/guide/cache.md', import.meta.url), 'utf8')
const [line = ''] = /^ACL SETUSER shop .*~shop:\* .*$/m.exec(guide) ?? []

const stops: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop()
})

async function start(...flags: string[]) {
  const network = await startTestPartition(...flags)
  stops.push(() => network.stop())
  return network
}

/** By the user of docs/guide/cache.md, who is at both servers. */
async function open({ primary, replica }: TestPartition, url: string) {
  for (const server of [primary, replica]) await server.call('ACL', ...line.split(' ').slice(1))
  const address = `${url.replace('//', '//shop:password@')}&prefix=shop:`
  const cache = await connectCache(address, { log })
  stops.push(() => cache.close())
  return cache
}

/** An id that was signed now, and may be spent once. */
async function newId(cache: Cache) {
  const far = { sinceMillis: Date.now() + minute, ttlMillis: minute }
  const { bornAtMillis } = await cache.spend(`probe:${Math.random()}`, far)
  const given = { sinceMillis: bornAtMillis + 1, ttlMillis: minute }
  const id = `id:${Math.random()}`
  return (at: Cache) => at.spend(id, given).then(({ outcome }) => outcome)
}

const takesOver = ({ replica }: TestPartition) =>
  vi.waitFor(async () => {
    expect(String(await replica.call('ROLE'))).toMatch(/^master/)
  }, 15_000)

const isBack = (cache: Cache) => vi.waitFor(async () => expect(await cache.isUp()).toBe(true), 5000)

describe.skipIf(reason)(`F26: a network that is cut${reason}`, { timeout: 60_000 }, () => {
  it('between the primary and two of three Sentinels: the new primary is followed, although the old one goes on taking writes', async () => {
    const network = await start()
    const cache = await open(network, network.url)
    const told = vi.fn<() => void>()
    cache.onInterruption(told)
    const spend = await newId(cache)
    expect(await spend(cache)).toBe('first')
    network.cutPrimary()
    await takesOver(network)
    expect(await network.primary.call('SET', 'shop:stray', '1')).toBe('OK')
    await vi.waitFor(() => expect(told).toHaveBeenCalled(), 5000)
    await isBack(cache)
    await cache.set('key', 'value', minute)
    expect(await network.replica.call('GET', 'shop:key')).toBe('value')
    expect(await spend(cache)).toBe('unknown')
    // The old one comes back as a replica, and what it took alone is gone.
    network.healPrimary()
    await vi.waitFor(async () => {
      expect(String(await network.primary.call('ROLE'))).toMatch(/^slave/)
      expect(await network.primary.call('GET', 'shop:key')).toBe('value')
    }, 20_000)
    expect(await cache.isUp()).toBe(true)
    expect(await network.replica.call('GET', 'shop:stray')).toBeNull()
  })

  it('with the server on the side of the old primary: min-replicas-to-write makes it refuse, so that no id is spent on both sides', async () => {
    const network = await start('--min-replicas-to-write', '1', '--min-replicas-max-lag', '2')
    const here = await open(network, network.url)
    const there = await open(network, network.urlOfOthers)
    const spend = await newId(here)
    network.cutSentinels()
    network.cutPrimary()
    await takesOver(network)
    await vi.waitFor(async () => {
      await there.set('where', 'there', minute)
      expect(await network.replica.call('GET', 'shop:where')).toBe('there')
    }, 10_000)
    await vi.waitFor(async () => expect(await here.isUp()).toBe(false), 5000)
    await expect(spend(here)).rejects.toMatchObject({ status: 503 })
    // Signed before the takeover, it has to be signed again.
    expect(await spend(there)).toBe('unknown')
    const next = await newId(there)
    expect(await next(there)).toBe('first')
    await expect(next(here)).rejects.toMatchObject({ status: 503 })
    network.healPrimary()
    network.healSentinels()
    await vi.waitFor(async () => expect(await next(here)).toBe('again'), 10_000)
  })

  it('between the primary and one of three Sentinels: that one alone decides nothing', async () => {
    const network = await start()
    const cache = await open(network, network.url)
    const told = vi.fn<() => void>()
    cache.onInterruption(told)
    const spend = await newId(cache)
    expect(await spend(cache)).toBe('first')
    const [, second, third] = network.sentinels
    await Promise.all([second?.kill(), third?.kill()])
    network.cutPrimary()
    await wait(4000)
    expect(String(await network.replica.call('ROLE'))).toMatch(/^slave/)
    expect(await cache.isUp()).toBe(true)
    expect(await spend(cache)).toBe('again')
    expect(told).not.toHaveBeenCalled()
  })
})
