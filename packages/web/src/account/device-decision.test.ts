import { DeviceAuthDeniedError } from '@svc/auth'
import {
  ApiUnreachableError,
  ServiceUnavailableError,
  TooManyRequestsError,
} from '@svc/core/client'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type ApprovedDevice, deviceDecision } from './use-device-approval.ts'

const approved = { status: 'approved', userId: 'u' } as ApprovedDevice // the rest is passed on
const pending = (intervalMillis = 5000) => ({ status: 'pending' as const, intervalMillis })

type Step = ReturnType<typeof pending> | ApprovedDevice | Error

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Asks an API that answers these, each after so long. What is told is when it was asked. */
function waitFor(steps: Step[], { answersAfter = 0, intervalMillis = 5000 } = {}) {
  const startedAt = performance.now()
  const askedAt: number[] = []
  const leaving = new AbortController()
  async function ask() {
    askedAt.push(performance.now() - startedAt)
    const step = steps.shift() ?? approved
    await new Promise((resolve) => setTimeout(resolve, answersAfter))
    if (step instanceof Error) throw step
    return step
  }
  const decision = deviceDecision(ask, { intervalMillis, signal: leaving.signal })
  const ended = decision.catch((error: unknown) => error)
  return { askedAt, leaving, ended }
}

describe('waiting for an approval', () => {
  it('asks no sooner than the interval that was announced, and that the answers change (A-199)', async () => {
    const { askedAt, ended } = waitFor([pending(5000), pending(7000)])
    await vi.runAllTimersAsync()
    expect(await ended).toBe(approved)
    expect(askedAt).toEqual([0, 5000, 12_000])
  })

  it('asks again at once after an answer that took longer than the interval', async () => {
    const { askedAt, ended } = waitFor([pending()], { answersAfter: 20_000 })
    await vi.runAllTimersAsync()
    expect(await ended).toBe(approved)
    expect(askedAt).toEqual([0, 20_000])
  })

  it('waits for as long as a refusal says (A-197)', async () => {
    const { askedAt, ended } = waitFor([new TooManyRequestsError({ retryAfter: 30 })])
    await vi.runAllTimersAsync()
    expect(await ended).toBe(approved)
    expect(askedAt).toEqual([0, 30_000])
  })

  it('goes on while the API is away', async () => {
    const { askedAt, ended } = waitFor([new ApiUnreachableError(), new ServiceUnavailableError()])
    await vi.runAllTimersAsync()
    expect(await ended).toBe(approved)
    expect(askedAt).toEqual([0, 5000, 10_000])
  })

  it('ends with a denial, and with what it does not know', async () => {
    for (const error of [new DeviceAuthDeniedError(), new TypeError('a bug')]) {
      const { askedAt, ended } = waitFor([error])
      await vi.runAllTimersAsync()
      expect(await ended).toBe(error)
      expect(askedAt).toHaveLength(1)
    }
  })

  it('asks no more once the wait was given up', async () => {
    const { askedAt, leaving, ended } = waitFor([pending()])
    await vi.advanceTimersByTimeAsync(1000)
    leaving.abort()
    expect(await ended).toBeNull()
    await vi.runAllTimersAsync()
    expect(askedAt).toEqual([0])
  })
})
