import { eq } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { routeMap } from '../route-map.generated.ts'
import { startTestAuth, type TestAnswer } from '../testing.ts'
import { deviceRequests } from './schema.ts'
import {
  denied,
  expired,
  refusal,
  type TestDevice,
  waitingDevices,
} from './testing/test-waiting.ts'

// Fewer connections than polls wait here at once.
const auth = await startTestAuth({ env: { SVC_DATABASE_CONNECTIONS: '2' } })
afterAll(() => auth.stop())
const { start, info, approve, deny, poll, rowOf } = waitingDevices(auth)
const { db } = auth.auth
const longest = 20_000

/** A poll that waits: it was noted, and has not been answered. */
async function waiting(device: TestDevice, given: { at?: typeof auth.server } = {}) {
  const { deviceCode } = device
  const body = { deviceCode, waitMillis: longest }
  const answer = auth.call('pollDeviceAuth', body, undefined, given)
  await noted(device)
  return { answer, since: performance.now() }
}

const noted = (device: TestDevice) =>
  expect.poll(async () => (await rowOf(device)).lastPolledAt, { interval: 5 }).not.toBeNull()

/** How long an answer took from the moment that it could be given. */
async function answeredIn(answer: Promise<TestAnswer>, since = performance.now()) {
  const { status, body } = await answer
  return { millis: performance.now() - since, status, body }
}

describe('a poll that may wait', () => {
  it('is answered as soon as the decision falls on its instance', async () => {
    const user = await auth.signedInUser()
    const took: number[] = []
    for (let round = 0; round < 3; round++) {
      const device = await start()
      const { answer } = await waiting(device)
      await approve(device, user)
      const { millis, body } = await answeredIn(answer)
      expect(body).toMatchObject({ status: 'approved', userId: user.userId })
      took.push(millis)
    }
    // A second is what it takes to find out otherwise.
    expect(Math.min(...took)).toBeLessThan(500)
  })

  it('is answered with the refusal as soon as that falls', async () => {
    const user = await auth.signedInUser()
    const devices = [await start(), await start()] as const
    const [one, other] = [await waiting(devices[0]), await waiting(devices[1])]
    await deny(devices[0], user)
    expect(refusal(await one.answer)).toBe(denied)
    await info(devices[1], user)
    await auth.call('revokeAllKeys', {}, user.key)
    expect(refusal(await other.answer)).toBe(denied)
  })

  it('finds out within about a second what it was not told, and that its time is over', async () => {
    const user = await auth.signedInUser()
    const [decided, over] = [await start(), await start()]
    const one = await waiting(decided)
    const decision = { state: 'denied' as const, claimedBy: user.userId }
    await db
      .update(deviceRequests)
      .set(decision)
      .where(eq(deviceRequests.userCode, decided.userCode))
    const found = await answeredIn(one.answer)
    expect([found.status, found.millis < 5_000]).toEqual([403, true])
    const other = await waiting(over)
    auth.clock.advance('10m')
    expect(refusal(await other.answer)).toBe(expired)
  })

  it('is pending still when it has waited as long as it may, and is limited like any other', async () => {
    const device = await start()
    const { millis, body } = await answeredIn(poll(device, 300))
    expect(body).toEqual({ status: 'pending', intervalMillis: 5_000 })
    expect(millis).toBeGreaterThanOrEqual(299)
    expect((await poll(device, longest)).status).toBe(429)
    expect(refusal(await poll(device, longest + 1))).toBe('400 ValidationError')
    expect(refusal(await poll(device, -1))).toBe('400 ValidationError')
  })

  it('holds no connection of the database', async () => {
    const user = await auth.signedInUser()
    const devices = await Promise.all(Array.from({ length: 12 }, () => start()))
    const polls = await Promise.all(devices.map((device) => waiting(device)))
    expect((await auth.call('listKeys', {}, user.key)).status).toBe(200)
    for (const device of devices) expect((await deny(device, user)).status).toBe(204)
    for (const { answer } of polls) expect(refusal(await answer)).toBe(denied)
  })

  it('collects nothing for a device that has gone', async () => {
    const user = await auth.signedInUser()
    const device = await start()
    const leaving = new AbortController()
    const left = fetch(`${auth.url}${routeMap.pollDeviceAuth.path}`, {
      method: 'POST',
      signal: leaving.signal,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ deviceCode: device.deviceCode, waitMillis: longest }),
    }).catch(() => 'gone')
    await noted(device)
    leaving.abort()
    expect(await left).toBe('gone')
    await approve(device, user)
    expect(await rowOf(device)).toMatchObject({ state: 'approved' })
    expect((await poll(device)).body).toMatchObject({ status: 'approved' })
  })

  it('does not hold its server up when that goes down', async () => {
    const other = await auth.secondInstance()
    const { answer } = await waiting(await start(), { at: other })
    const since = performance.now()
    await other.stop()
    // What is cut off is so after ten seconds.
    expect(performance.now() - since).toBeLessThan(8_000)
    expect((await answer).body).toMatchObject({ status: 'pending' })
  })
})
