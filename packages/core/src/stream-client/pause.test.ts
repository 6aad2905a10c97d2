import { expect, it, vi } from 'vitest'
import { delayBefore, pause } from './pause.ts'

const delays = (attempt: number, reconnectDelay = 3000) =>
  Array.from({ length: 1000 }, () => delayBefore(attempt, reconnectDelay))

it('waits for reconnectDelay and doubles up to 30 s, half of it left to chance (E-081)', () => {
  const limits = [3000, 6000, 12_000, 24_000, 30_000, 30_000]
  for (const [at, limit] of limits.entries()) {
    const waited = delays(at + 1)
    expect(Math.max(...waited)).toBeLessThanOrEqual(limit)
    expect(Math.max(...waited)).toBeGreaterThan(limit * 0.95)
    expect(Math.min(...waited)).toBeGreaterThanOrEqual(limit / 2)
    expect(Math.min(...waited)).toBeLessThan(limit * 0.55)
  }
  expect(Math.max(...delays(2000))).toBeLessThanOrEqual(30_000)
})

it('does not shorten a reconnectDelay over 30 s', () => {
  expect(Math.max(...delays(3, 60_000))).toBeGreaterThan(55_000)
})

it('ends with its signal, and leaves no timer behind (E-089)', async () => {
  vi.useFakeTimers()
  try {
    const closing = new AbortController()
    const paused = pause(60_000, closing.signal)
    expect(vi.getTimerCount()).toBe(1)
    closing.abort()
    await paused
    await pause(60_000, closing.signal)
    expect(vi.getTimerCount()).toBe(0)
  } finally {
    vi.useRealTimers()
  }
})

it('does not wait for longer than five minutes, also when a server says so', async () => {
  vi.useFakeTimers()
  try {
    const over = vi.fn<() => void>()
    void pause(2 ** 40, new AbortController().signal).then(over)
    await vi.advanceTimersByTimeAsync(299_000)
    expect(over).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1000)
    expect(over).toHaveBeenCalledOnce()
  } finally {
    vi.useRealTimers()
  }
})
