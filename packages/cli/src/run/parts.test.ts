import { ChildProcess } from 'node:child_process'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { startPart } from './parts.ts'

// The process waits in real time, and what stops it in that of the test.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

const deaf =
  "process.on('SIGTERM', () => console.log('asked')); setInterval(() => {}, 1000); console.log('up')"

/** A process that does not end when it is asked to, and what it prints. */
function startDeaf(env: NodeJS.ProcessEnv) {
  const up = Promise.withResolvers<void>()
  const asked = Promise.withResolvers<void>()
  const part = startPart(
    { name: 'API', args: ['-e', deaf], cwd: '.', env, readyUrl: 'http://localhost' },
    (line) => (line.endsWith('up') ? up : asked).resolve(),
  )
  return { part, up: up.promise, asked: asked.promise }
}

describe('a part that does not end when it is asked to', () => {
  it.each([
    ['25 s, with no delay', {}, 25_000],
    ['25 s and the delay of production', { NODE_ENV: 'production' }, 30_000],
    ['25 s and the delay that is set', { SVC_SHUTDOWN_DELAY: '5m' }, 325_000],
    ['25 s, with a delay that it would not start with', { SVC_SHUTDOWN_DELAY: '5h' }, 25_000],
  ])('is killed after %s', async (_, env, millis) => {
    const { part, up, asked } = startDeaf(env)
    await up
    const kill = vi.spyOn(ChildProcess.prototype, 'kill')
    const stopped = part.stop()
    await asked
    vi.advanceTimersByTime(millis - 1)
    expect(kill.mock.calls).toEqual([['SIGTERM']])
    vi.advanceTimersByTime(1)
    expect(kill.mock.calls).toEqual([['SIGTERM'], ['SIGKILL']])
    await stopped
    expect(await part.ended).toBe('ended with SIGKILL')
  })
})
