import { expect, it } from 'vitest'
import { delayBefore } from './pause.ts'

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
