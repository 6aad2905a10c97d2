import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createTimeLimit } from './time-limit.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

describe('createTimeLimit', () => {
  it('expires what is not ended, oldest first, and nothing twice', () => {
    const expired: string[] = []
    const limit = createTimeLimit<string>(1_000, (item) => expired.push(item))
    limit.start('first')
    vi.advanceTimersByTime(500)
    const ended = limit.start('ended')
    limit.start('last')
    limit.end(ended)
    vi.advanceTimersByTime(500)
    expect(expired).toEqual([])
    vi.advanceTimersByTime(100)
    expect(expired).toEqual(['first'])
    vi.advanceTimersByTime(5_000)
    expect(expired).toEqual(['first', 'last'])
  })

  it('ends entries in any order, and one that has expired', () => {
    const expired: number[] = []
    const limit = createTimeLimit<number>(1_000, (item) => expired.push(item))
    const entries = [0, 1, 2, 3, 4].map((item) => limit.start(item))
    for (const index of [2, 0, 4]) limit.end(entries[index] as (typeof entries)[number])
    vi.advanceTimersByTime(2_000)
    expect(expired).toEqual([1, 3])
    for (const entry of entries) limit.end(entry)
    limit.start(5)
    vi.advanceTimersByTime(2_000)
    expect(expired).toEqual([1, 3, 5])
  })

  it('keeps no timer while nothing is under way', () => {
    const limit = createTimeLimit<string>(1_000, () => {})
    limit.end(limit.start('short'))
    vi.advanceTimersByTime(100)
    expect(vi.getTimerCount()).toBe(0)
  })
})
