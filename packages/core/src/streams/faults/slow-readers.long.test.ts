import { setTimeout as wait } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { firstGap, openCrowd, print, quantile } from './crowd.ts'
import { startInstance } from './instance.ts'
import { openSockets } from './sockets.ts'

const frameBytes = 8000

it('F10: cuts twenty off that have stopped reading, and neither memory nor five hundred others suffer', async () => {
  const instance = await startInstance({ pingInterval: 60_000 })
  const live = await openCrowd(480, instance)
  const liveSockets = await openSockets(20, instance)
  const send = (count: number) =>
    instance.ask('emit', { count, everyMillis: 20, length: frameBytes })
  const latencies = () => live.flatMap((stream) => stream.latencies.splice(0))
  await send(50)
  latencies()
  await send(200)
  await wait(200)
  const before = latencies()

  const stopped = await openCrowd(15, instance)
  const stoppedSockets = await openSockets(5, instance)
  for (const { socket } of stopped) socket.pause()
  for (const { ws } of stoppedSockets) ws.pause()
  const { megabytes } = await instance.ask('facts', undefined)
  let most = megabytes
  let sent = 250
  for (;;) {
    await send(20)
    sent += 20
    const facts = await instance.ask('facts', undefined)
    most = Math.max(most, facts.megabytes)
    if (facts.streams <= 500) break
    expect(sent).toBeLessThan(2000)
  }
  for (const { socket } of stopped) socket.resume()
  for (const { ws } of stoppedSockets) ws.resume()
  await Promise.all(stopped.map(({ closed }) => closed))
  const codes = await Promise.all(stoppedSockets.map(({ closed }) => closed))
  await wait(500)
  const during = latencies()
  print({
    emissions: sent,
    'p99 before in ms': quantile(before, 0.99),
    'p99 beside them': quantile(during, 0.99),
    'p50 before': quantile(before, 0.5),
    'p50 beside them': quantile(during, 0.5),
    'megabytes before': megabytes,
    'at most': most,
    codes: [...new Set(codes)].join(),
  })

  // A MiB for each that has stopped, and what the collector has not been to yet.
  expect(most - megabytes).toBeLessThan(20 * 1.1 + 80)
  // 1006 where its 2 s to read up to the close frame were over.
  expect(codes.every((code) => code === 1013 || code === 1006)).toBe(true)
  expect(live.filter(({ got }) => got.length !== sent)).toEqual([])
  expect([...live, ...stopped, ...liveSockets, ...stoppedSockets].map(firstGap)).toEqual(
    Array.from({ length: 520 }, () => undefined),
  )
  expect(stopped.every(({ got, isComplete }) => got.length < sent && !isComplete)).toBe(true)
  expect(quantile(during, 0.5)).toBeLessThan(2 * quantile(before, 0.5) + 50)
  await instance.kill()
}, 120_000)
