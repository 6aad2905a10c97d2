import { describe, expect, it } from 'vitest'
import { answered, failed, noEcho } from './echo.ts'

const waiting = { state: 'waiting', sentAtMillis: 10 } as const

describe('an echo', () => {
  it('has the time of its round trip', () => {
    expect(answered(waiting, 'Hello', 14.5)).toEqual({
      state: 'answered',
      text: 'Hello',
      millis: 4.5,
    })
  })

  it('is lost with the connection, and only while it is waited for', () => {
    expect(failed(waiting, 'Gone')).toEqual({ state: 'failed', why: 'Gone' })
    const before = answered(waiting, 'Hello', 14)
    expect(failed(before, 'Gone')).toBe(before)
    expect(answered(noEcho, 'Hello', 14)).toBe(noEcho)
  })
})
