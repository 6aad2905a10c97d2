import { performance } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'vitest'
import { type CheapStream, openCrowd, print } from './crowd.ts'
import { type Instance, startInstance } from './instance.ts'
import { openSockets } from './sockets.ts'

/** The health that probes see, and how many streams had been asked to leave by then. */
async function probe({ url }: Instance, crowd: readonly CheapStream[]) {
  const seen: { status: number; left: number }[] = []
  for (;;) {
    const status = await fetch(`${url}/_core/health`).then(
      (answer) => answer.status,
      () => 0,
    )
    // No server listens there any more.
    if (status === 0) return seen
    seen.push({ status, left: crowd.filter(({ retry }) => retry !== undefined).length })
    await wait(20)
  }
}

/** Stops a server with all of these streams open, and checks what is promised for that. */
export async function expectOrderlyEnd({
  streams,
  sockets,
}: Record<'streams' | 'sockets', number>) {
  const instance = await startInstance({ farewellMillis: 500 })
  const crowd = await openCrowd(streams, instance)
  const webSockets = await openSockets(sockets, instance)
  // They never read, so they can't notice the end.
  const deaf = crowd.slice(0, 20)
  const slow = Array.from({ length: 50 }, () =>
    fetch(`${instance.url}/slow`).then((answer) => answer.json()),
  )
  await wait(300)
  for (const { socket } of deaf) socket.pause()
  const began = performance.now()
  instance.signal('SIGTERM')
  const probed = probe(instance, crowd)

  expect(await Promise.all(slow)).toEqual(Array.from({ length: 50 }, () => ({ done: true })))
  expect(await instance.ended).toBe(0)
  const millis = performance.now() - began
  print({ streams, sockets, 'ended in ms': millis })
  expect(millis).toBeLessThan(15_000)
  expect(new Set(await Promise.all(webSockets.map(({ closed }) => closed)))).toEqual(
    new Set(sockets ? [1001] : []),
  )
  expectFarewells(crowd.slice(20), await Promise.all(crowd.slice(20).map(farewell)))
  const unready = (await probed).find(({ status }) => status === 503)
  expect(unready).toEqual({ status: 503, left: 0 })
}

async function farewell(stream: CheapStream) {
  await stream.closed
  return stream.retry ?? Number.NaN
}

function expectFarewells(crowd: readonly CheapStream[], retries: readonly number[]) {
  expect(crowd.filter(({ isComplete }) => !isComplete)).toHaveLength(0)
  for (let from = 0; from < 10_000; from += 2500) {
    const some = retries.filter((millis) => millis >= from && millis < from + 2500)
    expect(some.length / retries.length).toBeGreaterThan(0.2)
  }
}
