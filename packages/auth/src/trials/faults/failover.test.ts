import { setTimeout as wait } from 'node:timers/promises'
import { missingHaproxy, startTestHaproxy, startTestPair } from '@svc/core/testing'
import { expect, it, onTestFinished, vi } from 'vitest'
import { orFew } from '../../../../../scripts/test/or-few.ts'
import { startTestAuth } from '../../testing.ts'
import { askAll, expectKept, startLoad, wrongInOutage } from './load.ts'

interface Case {
  cacheUrl?: string
  isBehindHaproxy?: boolean
}

/** A standby takes over under load: no client is refused, what was acknowledged is there, and all is back within 5 s. */
async function takeOver({ cacheUrl, isBehindHaproxy }: Case) {
  const pair = await startTestPair()
  onTestFinished(() => pair.stop())
  const haproxy = isBehindHaproxy && (await startTestHaproxy([pair.primaryUrl, pair.standbyUrl]))
  if (haproxy) onTestFinished(() => haproxy.stop())
  const DATABASE_URL = haproxy ? haproxy.url : pair.url
  const auth = await startTestAuth({
    env: { DATABASE_URL, ...(cacheUrl && { CACHE_URL: cacheUrl }) },
  })
  onTestFinished(() => auth.stop())
  const users = await Promise.all(Array.from({ length: 8 }, () => auth.signedInUser()))
  const load = startLoad(auth, users)
  await wait(300)
  await pair.kill()
  const during = await askAll(auth, users)
  await pair.promote()
  const began = performance.now()
  await vi.waitFor(async () => {
    const answers = await askAll(auth, users)
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  }, 10_000)
  expect(performance.now() - began).toBeLessThan(5000)

  const answers = await load.stop()
  expect(wrongInOutage([...answers, ...during])).toEqual([])
  expect(new Set(during.map(({ status }) => status))).toEqual(new Set([503]))
  await expectKept(auth, answers)
}

const promise =
  'no client is refused, what was acknowledged is there, and all is back within 5 s (F25)'

it.each(orFew(['postgres:', undefined]))(
  `a standby takes over under load (CACHE_URL=%s): ${promise}`,
  { timeout: 90_000 },
  (cacheUrl) => takeOver({ ...(cacheUrl && { cacheUrl }) }),
)

it.skipIf(missingHaproxy)(
  `a standby takes over under load behind HAProxy${missingHaproxy}: ${promise}`,
  { timeout: 90_000 },
  () => takeOver({ isBehindHaproxy: true }),
)
