import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { CircuitBreaker } from './circuit-breaker.ts'

let breaker: CircuitBreaker

beforeEach(() => {
  vi.useFakeTimers()
  breaker = new CircuitBreaker()
})
afterEach(() => {
  vi.useRealTimers()
})

const attempt = () => breaker.attempt() ?? 0
const fail = (times: number) => {
  for (let time = 0; time < times; time++) breaker.failed(attempt())
}

describe('a circuit breaker', () => {
  it('opens after three failures in a row (E-023)', () => {
    fail(2)
    breaker.succeeded(attempt())
    fail(2)
    expect(breaker.attempt()).not.toBeNull()
    fail(1)
    expect(breaker.attempt()).toBeNull()
  })

  it('opens after one that took all of its time (E-023)', () => {
    breaker.timedOut(attempt())
    expect(breaker.attempt()).toBeNull()
  })

  it('lets one attempt through after 10 s (E-023)', () => {
    fail(3)
    vi.advanceTimersByTime(9999)
    expect(breaker.attempt()).toBeNull()
    vi.advanceTimersByTime(1)
    expect(breaker.attempt()).not.toBeNull()
    expect(breaker.attempt()).toBeNull()
  })

  it('closes when that one succeeds, and is open for another 10 s when it fails (E-023)', () => {
    fail(3)
    vi.advanceTimersByTime(10_000)
    fail(1)
    vi.advanceTimersByTime(9999)
    expect(breaker.attempt()).toBeNull()
    vi.advanceTimersByTime(1)
    breaker.succeeded(attempt())
    fail(2)
    expect(breaker.attempt()).not.toBeNull()
  })

  it('sends another one when nothing is heard of that one', () => {
    fail(3)
    vi.advanceTimersByTime(10_000)
    attempt()
    vi.advanceTimersByTime(10_000)
    expect(breaker.attempt()).not.toBeNull()
  })

  it('learns nothing from attempts that began before it opened', () => {
    const early = attempt()
    fail(3)
    breaker.succeeded(early)
    expect(breaker.attempt()).toBeNull()
    vi.advanceTimersByTime(10_000)
    breaker.succeeded(attempt())
    for (const _ of [1, 2, 3]) breaker.failed(early)
    expect(breaker.attempt()).not.toBeNull()
  })
})
