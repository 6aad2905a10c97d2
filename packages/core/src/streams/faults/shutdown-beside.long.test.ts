import { performance } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { openCrowd, print } from './crowd.ts'
import { startInstance } from './instance.ts'

describe('F17: a server with a thousand streams that gets SIGTERM', () => {
  it('does other work in between', async () => {
    const instance = await startInstance()
    await openCrowd(1000, instance)
    const { longestMillis, workMillis } = await instance.ask('stop', undefined)
    print({ 'longest block in ms': longestMillis, 'most work in one': workMillis })
    // Ending them in one go is 60 to 100 ms of work.
    expect(workMillis).toBeLessThan(30)
    await instance.kill()
  })

  it('is not held up by clients for which megabytes wait', async () => {
    const instance = await startInstance()
    const crowd = await openCrowd(5, instance)
    for (const { socket } of crowd) socket.pause()
    await instance.ask('emit', { count: 1, length: 8_000_000 })
    await wait(100)
    const began = performance.now()
    instance.signal('SIGTERM')
    expect(await instance.ended).toBe(0)
    expect(performance.now() - began).toBeLessThan(5000)
  })

  it('ends within a second when it gets another one', async () => {
    const instance = await startInstance()
    await openCrowd(200, instance)
    const slow = fetch(`${instance.url}/slow`).catch(() => 'cut')
    await wait(100)
    instance.signal('SIGTERM')
    await wait(100)
    const began = performance.now()
    instance.signal('SIGTERM')
    expect(await instance.ended).toBe(1)
    expect(performance.now() - began).toBeLessThan(1000)
    expect(await slow).toBe('cut')
  })
})
