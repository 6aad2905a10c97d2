import { afterEach, beforeEach, vi } from 'vitest'
import type { TestWeb } from './test-browser.ts'

/** Stops the web app's clock in every test of a file. What is answered lets time pass, for it and for the API. */
export function stopTime({ api }: Pick<TestWeb, 'api'>) {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'] })
  })
  afterEach(() => {
    vi.useRealTimers()
    api.clock.set(new Date())
  })
  return (millis: number) => {
    vi.setSystemTime(Date.now() + millis)
    api.clock.set(new Date())
  }
}
