import { setTimeout as wait } from 'node:timers/promises'
import { placeHeader } from '@svc/core'
import { afterAll, describe, expect, it } from 'vitest'
import { createPasswordHasher } from '../passwords/passwords.ts'
import { changeService } from '../running/test-change-held.ts'
import { createTestKey, startTestAuth, testPassword } from '../testing.ts'
import type { LimitName } from './contract.ts'
import { limitOf } from './testing/limits.ts'

const auth = await startTestAuth({
  env: { SVC_RATE_LIMIT: 'on', SVC_TRUSTED_PROXY_HOPS: '1' },
})
const user = await auth.createUser()
const { registration } = await createTestKey()

// All turns are taken, and no caller may wait: each is told to come back in a second.
const passwords = createPasswordHasher({
  rounds: 4,
  workers: 1,
  waitMillis: 0,
  log: { error: () => {} },
})
const held = Promise.withResolvers<void>()
const turns = Array.from({ length: passwords.turns }, () =>
  passwords.withPlace({ address: null }, () => held.promise),
)
changeService(auth.server.infrastructure, { passwords })
afterAll(async () => {
  await passwords.close()
  await auth.stop()
})

let hosts = 0

/** An office whose address has one login left in this minute. */
async function openOffice() {
  const address = `192.0.2.${(hosts += 1)}`
  await exhaust('login by address', address, 1)
  const call = (operation: 'login' | 'completeSignup', body: object, place?: string) =>
    auth.call(operation, body, undefined, {
      headers: { 'x-forwarded-for': address, ...(place && { [placeHeader]: place }) },
    })
  const login = (place?: string) =>
    call('login', { email: user.email, password: testPassword, ...registration }, place)
  return { address, call, login }
}

async function exhaust(name: LimitName, address: string, left = 0) {
  for (let taken = left; taken < limitOf(name); taken += 1) {
    await auth.auth.limits.take(name, address)
  }
}

/** Until those who were sent away should come back. */
const untilTold = () => wait(1010)

describe('a login that finds a long line', () => {
  it('is counted once, however often it comes back when it is told to', async () => {
    const { login } = await openOffice()
    const { status, body } = await login()
    expect([status, body.retryAfter]).toEqual([503, 1])
    await untilTold()
    const again = await login(body.place)
    expect(again.status).toBe(503)
    await untilTold()
    expect(await login(again.body.place)).toMatchObject({ status: 503 })

    expect(await login()).toMatchObject({ status: 429 })
  })

  it('is counted again where it shows a place that was never given', async () => {
    const { login } = await openOffice()
    await login()
    await untilTold()

    expect(await login('AAAAAAAAAAAAAAAAAAAAAA')).toMatchObject({ status: 429 })
    expect(await login('')).toMatchObject({ status: 429 })
  })

  it('is counted again where it shows its place twice', async () => {
    const { login } = await openOffice()
    const { place } = (await login()).body
    await untilTold()
    const statuses = (await Promise.all([login(place), login(place)])).map(({ status }) => status)
    expect(statuses.toSorted((one, other) => one - other)).toEqual([429, 503])

    expect(await login(place)).toMatchObject({ status: 429 })
  })

  it('is counted again where it comes back too early, and keeps its place', async () => {
    const { login } = await openOffice()
    const { place } = (await login()).body
    expect(await login(place)).toMatchObject({ status: 429 })
    await untilTold()

    expect(await login(place)).toMatchObject({ status: 503 })
  })

  it('is counted again where its place was shown before, with a body that was refused', async () => {
    const { call, login } = await openOffice()
    const { place } = (await login()).body
    await untilTold()
    expect(await call('login', { email: user.email }, place)).toMatchObject({ status: 400 })

    expect(await login(place)).toMatchObject({ status: 429 })
  })

  it('is counted where its place was kept for another operation', async () => {
    const { address, call, login } = await openOffice()
    const { place } = (await login()).body
    await exhaust('signup complete by address', address)
    await untilTold()
    expect(await call('completeSignup', {}, place)).toMatchObject({ status: 429 })

    expect(await login(place)).toMatchObject({ status: 503 })
  })

  it('is let in where its address is over its limit by then', async () => {
    const { address, login } = await openOffice()
    const { place } = (await login()).body
    await exhaust('login by address', address, 100)
    await expect(auth.auth.limits.take('login by address', address)).rejects.toThrow()
    await untilTold()
    held.resolve()
    await Promise.all(turns)

    expect(await login(place)).toMatchObject({ status: 200 })
  })
})
