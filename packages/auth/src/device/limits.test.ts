import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { limitOf } from '../limits/testing/limits.ts'
import { createTestKey, startTestAuth, type TestUser } from '../testing.ts'
import { refusal, unknown } from './testing/test-waiting.ts'

const auth = await startTestAuth({ env: { SVC_RATE_LIMIT: 'on', SVC_TRUSTED_PROXY_HOPS: '1' } })
afterAll(() => auth.stop())
// A window that is used up is remembered, so that its row is not asked for again.
beforeEach(() => auth.clock.advance('60s'))

const tooMany = '429 TooManyRequestsError'
const from = (number: number) => ({ headers: { 'x-forwarded-for': `192.0.2.${number}` } })
const { registration } = await createTestKey()

/** What each of so many calls, one after the other, is answered. */
async function inTurn(count: number, ask: (index: number) => ReturnType<typeof auth.call>) {
  const said: string[] = []
  for (let index = 0; index < count; index++) {
    const answer = await ask(index)
    said.push(answer.status === 200 ? '200' : refusal(answer))
  }
  return said
}

const start = (address = 1) => auth.call('startDeviceAuth', registration, undefined, from(address))
const poll = (address = 1) =>
  auth.call('pollDeviceAuth', { deviceCode: 'no-such-code' }, undefined, from(address))

const operations = ['getDeviceAuthInfo', 'approveDeviceAuth', 'denyDeviceAuth'] as const
const guess = ({ key }: TestUser, index: number, address = 1) =>
  auth.call(
    operations[index % 3] as (typeof operations)[0],
    { userCode: '2222-2222' },
    key,
    from(address),
  )

describe('each address', () => {
  it('may start ten requests and poll sixty times in a minute (A-197, A-373)', async () => {
    expect(await inTurn(11, () => start())).toEqual([...Array(10).fill('200'), tooMany])
    expect((await start(2)).status).toBe(200)
    expect(await inTurn(61, () => poll())).toEqual([...Array(60).fill(unknown), tooMany])
    expect(refusal(await poll(2))).toBe(unknown)
    auth.clock.advance('60s')
    expect([(await start()).status, refusal(await poll())]).toEqual([200, unknown])
  })

  it('may look for fifty codes in a minute, with any users (A-198)', async () => {
    const users = await Promise.all(Array.from({ length: 6 }, () => auth.signedInUser()))
    const said = await inTurn(51, (index) => guess(users[index % 6] as TestUser, index))
    expect(said).toEqual([...Array(50).fill(unknown), tooMany])
    expect(refusal(await guess(users[0] as TestUser, 0, 2))).toBe(unknown)
  })
})

describe('each account', () => {
  it('may look for ten codes in a minute, wherever it is and with whichever of the three (A-198)', async () => {
    const [user, other] = [await auth.signedInUser(), await auth.signedInUser()]
    const said = await inTurn(13, (index) => guess(user, index, index))
    expect(said).toEqual([...Array(10).fill(unknown), tooMany, tooMany, tooMany])
    const refused = await guess(user, 0, 99)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(refusal(await guess(other, 0))).toBe(unknown)
    auth.clock.advance('60s')
    expect(refusal(await guess(user, 0))).toBe(unknown)
  })

  it('finds one of ten thousand live codes in an hour at most once in a hundred thousand', () => {
    const guessesPerHour = limitOf('device code by account') * 60
    expect((guessesPerHour * 10_000) / 31 ** 8).toBeLessThan(1e-5)
  })
})
