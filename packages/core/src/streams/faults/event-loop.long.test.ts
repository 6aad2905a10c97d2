import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { openCrowd, print, quantile } from './crowd.ts'
import { type Instance, startInstance } from './instance.ts'

const asker = fileURLToPath(new URL('./asker.ts', import.meta.url))

/** How long requests take for so long, in milliseconds each. */
async function ask({ url }: Instance, millis: number) {
  const child = fork(asker, [url, String(millis)])
  const [taken] = (await once(child, 'message')) as [number[]]
  return taken
}

async function watched(instance: Instance, work: () => Promise<number[]>) {
  await instance.ask('watch', undefined)
  const taken = await work()
  return { ...(await instance.ask('watched', undefined)), p99Millis: quantile(taken, 0.99) }
}

it('answers requests in time while ten thousand streams are written to every second', async () => {
  const instance = await startInstance()
  const crowd = await openCrowd(10_000, instance)
  // Pings, every 10 s, are a part of it.
  const idle = await watched(instance, () => ask(instance, 9000))
  const busy = await watched(instance, async () => {
    const emitting = instance.ask('emit', { count: 10, everyMillis: 1000 })
    const taken = await ask(instance, 10_000)
    await emitting
    return taken
  })
  await wait(2000)
  print({
    'idle: p99 of a GET in ms': idle.p99Millis,
    'longest block': idle.longestMillis,
    'most work in one': idle.workMillis,
  })
  print({
    'broadcasting: p99 of a GET in ms': busy.p99Millis,
    'longest block': busy.longestMillis,
    'most work in one': busy.workMillis,
  })
  expect(crowd.filter(({ got }) => got.length !== 10)).toEqual([])
  // The process's own work: what the machine gives to others meanwhile is not ours to bound.
  // In one go it is over 50 ms; 5 ms of a slice, the step that it is in, and what the collector takes are about 12.
  expect(idle.workMillis).toBeLessThan(30)
  expect(busy.workMillis).toBeLessThan(30)
  await instance.kill()
}, 120_000)
