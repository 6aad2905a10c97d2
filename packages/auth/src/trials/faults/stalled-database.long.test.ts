import { setTimeout as wait } from 'node:timers/promises'
import { startTestPostgres } from '@svc/core/testing'
import { expect, it, onTestFinished } from 'vitest'
import { startTestAuth, type TestUser } from '../../testing.ts'
import { startLoad, wrongInOutage } from './load.ts'

it('F4, F5: a database that is stalled for thirty seconds is 503 within 5 s, health says so within 1 s', async () => {
  const postgres = await startTestPostgres()
  const auth = await startTestAuth({ env: { DATABASE_URL: postgres.url } })
  onTestFinished(async () => {
    await auth.stop()
    await postgres.stop()
  })
  const users: TestUser[] = []
  while (users.length < 20) users.push(await auth.signedInUser())
  const load = startLoad(auth, users)
  // While the pool still grows, requests take so long that their own time would count as the stall's.
  await expect
    .poll(() => load.answers.length, { timeout: 30_000 })
    .toBeGreaterThan(10 * users.length)
  postgres.pause()
  await wait(1000)
  // What was said before has arrived by now.
  const served = load.answers.length
  const probes: { status: number; millis: number }[] = []
  for (let probe = 0; probe < 15; probe++) {
    const began = performance.now()
    const { status } = await fetch(`${auth.url}/_core/health`)
    probes.push({ status, millis: performance.now() - began })
    await wait(2000 - (performance.now() - began))
  }
  const meanwhile = new Set(load.answers.slice(served).map(({ status }) => status))
  postgres.resume()
  const resumed = performance.now()
  await expect
    .poll(async () => (await auth.call('getAuthSession', undefined, users[0]?.key)).status, {
      timeout: 5000,
    })
    .toBe(200)
  const back = performance.now() - resumed
  const answers = await load.stop()
  const slowest = Math.max(...answers.map(({ millis }) => millis))
  const probe = Math.max(...probes.map(({ millis }) => millis))
  process.stdout.write(
    `F4: slowest answer ${slowest.toFixed(0)} ms, slowest health ${probe.toFixed(0)} ms, back after ${back.toFixed(0)} ms\n`,
  )
  expect(wrongInOutage(answers.map((answer) => ({ ...answer, millis: 0 })))).toEqual([])
  expect(slowest).toBeLessThan(5000)
  expect(meanwhile).toEqual(new Set([503]))
  // A little more than a second: the client shares its process with the server here.
  expect(probes.filter(({ millis }) => millis > 1500)).toEqual([])
  expect(probes.slice(1).map(({ status }) => status)).toEqual(probes.slice(1).map(() => 503))
})
