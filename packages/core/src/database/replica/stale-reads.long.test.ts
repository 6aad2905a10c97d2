import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import { connectDatabase } from '../server.ts'
import { startTestPair } from '../test-pair.ts'
import { isAtReplica, log, numbers, opened, read, said, useReplica } from './test-stale-reads.ts'

const test = useReplica()
const { open } = test

describe('what a stale route reads', () => {
  it('does not look old because nothing is written', async () => {
    const reads = await open(test.pair.standbyUrl, 2000)
    await wait(5000)
    expect(reads.replica()).toBe('up')
    expect(said).toEqual([])
  }, 20_000)

  it('comes from the primary when the replica follows none: there may be a new primary', async () => {
    const reads = await open(test.pair.standbyUrl, 2500)
    await test.pair.stopFollowing()
    await vi.waitFor(() => expect(reads.replica()).toBe('behind'), 6000)
    expect(await isAtReplica(reads)).toBe(false)
  }, 20_000)
})

it('a stale route reads from the new primary after the replica has taken over, where DATABASE_URL names both', async () => {
  const own = await startTestPair()
  const several = await connectDatabase(own.url, { log })
  const reads = await open(own.standbyUrl, 2500, several)
  try {
    await vi.waitFor(async () => expect(await isAtReplica(reads)).toBe(true), 10_000)
    await several.pool.query('create table numbers as select 1 as n')
    await own.kill()
    await own.promote()
    await vi.waitFor(() => expect(reads.replica()).toBe('down'), 10_000)
    // It is asked as a primary now, and by a connection of its own.
    await vi.waitFor(async () => {
      expect(await read(reads)).toEqual([1])
      expect(await several.isUp()).toBe(true)
    }, 10_000)
    await expect(reads.db.insert(numbers).values({ n: 2 })).rejects.toThrow()
  } finally {
    await Promise.all(opened.splice(0).map((each) => each.close()))
    await several.close()
    await own.stop()
  }
}, 60_000)
