import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { Watchdog } from './watchdog.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function watched(isPinged = true) {
  const watchdog = new Watchdog()
  const onSilence = vi.fn<() => void>()
  const watch = () => watchdog.watch({ isPinged, onSilence })
  watch()
  return { watchdog, onSilence, watch }
}

it('barks after 30 s in which nothing came', () => {
  const { watchdog, onSilence } = watched()
  vi.advanceTimersByTime(20_000)
  watchdog.heard()
  vi.advanceTimersByTime(29_900)
  expect(onSilence).not.toHaveBeenCalled()
  vi.advanceTimersByTime(200)
  expect(onSilence).toHaveBeenCalledOnce()
})

it('waits three times as long as pings are apart', () => {
  const { watchdog, onSilence } = watched()
  watchdog.pinged()
  vi.advanceTimersByTime(20_000)
  watchdog.pinged()
  vi.advanceTimersByTime(59_900)
  expect(onSilence).not.toHaveBeenCalled()
  vi.advanceTimersByTime(200)
  expect(onSilence).toHaveBeenCalledOnce()
})

it('gets to know a server that pings less often than every 30 s', () => {
  const { watchdog, onSilence, watch } = watched()
  vi.advanceTimersByTime(30_100)
  expect(onSilence).toHaveBeenCalledOnce()
  watch()
  watchdog.pinged()
  vi.advanceTimersByTime(45_000)
  watchdog.pinged()
  vi.advanceTimersByTime(130_000)
  expect(onSilence).toHaveBeenCalledOnce()
})

it('does not take the sleep of a machine for the gap between pings', () => {
  const { watchdog, onSilence } = watched()
  watchdog.pinged()
  const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 3_600_000)
  watchdog.pinged()
  clock.mockRestore()
  vi.advanceTimersByTime(3_700_000)
  expect(onSilence).toHaveBeenCalledOnce()
})

it('keeps still until a first ping where pings may not be seen', () => {
  const { watchdog, onSilence } = watched(false)
  vi.advanceTimersByTime(3_600_000)
  expect(onSilence).not.toHaveBeenCalled()
  watchdog.pinged()
  vi.advanceTimersByTime(30_100)
  expect(onSilence).toHaveBeenCalledOnce()
})

it('leaves no timer behind', () => {
  const { watchdog, onSilence } = watched()
  watchdog.stop()
  expect(vi.getTimerCount()).toBe(0)
  vi.advanceTimersByTime(60_000)
  expect(onSilence).not.toHaveBeenCalled()
})
