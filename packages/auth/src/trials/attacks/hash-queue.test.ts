import { sql } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { createPasswordHasher } from '../../passwords/passwords.ts'
import { changeService } from '../../running/test-change-held.ts'
import { createTestKey, startTestAuth, type TestAuth, testPassword } from '../../testing.ts'

const passwords = createPasswordHasher({
  rounds: 8,
  workers: 1,
  // No caller is sent away, however busy the machine is.
  waitMillis: 60_000,
  log: { error: () => {} },
})
const auth = await startTestAuth({
  env: { SVC_TRUSTED_PROXY_HOPS: '1', SVC_AUTH_BCRYPT_SALT_ROUNDS: '10' },
})
afterAll(async () => {
  await passwords.close()
  await auth.stop()
})

const times = <Value>(count: number, make: (index: number) => Value) =>
  Array.from({ length: count }, (_, index) => make(index))

/** The callers in the order in which they are served. */
function line() {
  const served: string[] = []
  const come = (name: string, address: string | null) =>
    passwords.verify(testPassword, null, { address }).then(() => served.push(name))
  return { served, come }
}

describe('an address that fills the line of those who want to hash', () => {
  it('may have all of it while no other caller asks', async () => {
    const { served, come } = line()
    await Promise.all(times(20, (at) => come(`flood ${at}`, '192.0.2.1')))
    expect(served).toHaveLength(20)
  })

  it('takes turns with the others, one for one', async () => {
    const { served, come } = line()
    const flood = times(20, () => come('flood', '192.0.2.1'))
    const others = times(4, () => come('other', '192.0.2.2'))
    await Promise.all(others)
    // Some have their turn when the others come, and one is ahead in each round.
    expect(served.filter((name) => name === 'flood').length).toBeLessThanOrEqual(
      passwords.turns + 5,
    )
    await Promise.all(flood)
  })

  it('serves callers who ask once before it', async () => {
    const { served, come } = line()
    const flood = times(20, () => come('flood', '192.0.2.1'))
    const others = times(5, (host) => come('other', `192.0.2.${host + 2}`))
    await Promise.all([...others, come('unknown address', null)])
    expect(served.filter((name) => name === 'flood').length).toBeLessThanOrEqual(
      passwords.turns + 2,
    )
    await Promise.all(flood)
  })

  it('is one address, whichever of its IPv6 network it writes', async () => {
    const { served, come } = line()
    const flood = times(20, (host) => come('flood', `2001:db8::${host.toString(16)}`))
    await come('other', '192.0.2.2')
    expect(served.length).toBeLessThanOrEqual(passwords.turns + 3)
    await Promise.all(flood)
  })

  it('does not keep the owner of an account from signing in', async () => {
    const user = await auth.createUser()
    const { registration } = await createTestKey()
    const login = (email: string, address: string) =>
      auth.call('login', { email, password: testPassword, ...registration }, undefined, {
        headers: { 'x-forwarded-for': address },
      })
    const flood = times(200, () => login('nobody@example.com', '192.0.2.1'))
    await Promise.race(flood)
    expect(await login(user.email, '192.0.2.2')).toMatchObject({ status: 200 })
    const statuses = (await Promise.all(flood)).map(({ status }) => status)
    expect(statuses.filter((status) => status !== 401 && status !== 503)).toEqual([])
  })
})

describe('a refusal', () => {
  it('comes before an account is looked up, so that it tells nothing of one', async () => {
    const blind = await startTestAuth()
    // At 16 rounds a turn is four seconds, as long as none was measured.
    const full = createPasswordHasher({ rounds: 16, workers: 1, waitMillis: 0, log: console })
    changeService(blind.server.infrastructure, { passwords: full })
    const held = Promise.withResolvers<void>()
    const turns = times(full.turns, () => full.withPlace({ address: null }, () => held.promise))
    await blind.auth.db.execute(sql`alter table svc_auth.users rename to gone`)
    await blind.auth.db.execute(sql`alter table svc_auth.attempts rename to gone_too`)
    const { registration } = await createTestKey()
    const body = { email: 'who@example.com', password: testPassword, ...registration }
    const answer = await blind.call('login', body)
    held.resolve()
    await Promise.all(turns)
    await blind.stop()

    expect(answer.status).toBe(503)
    expect(Object.keys(answer.body).toSorted()).toEqual([
      '__type',
      'error',
      'message',
      'place',
      'retryAfter',
    ])
  })
})

/** Counts the turns of others that begin from when a caller from the address comes until it has its own. */
function turnsBefore({ auth: { passwords: hasher }, server }: TestAuth, address: string) {
  const begun: (string | null)[] = []
  let atArrival = 0
  const withPlace: typeof hasher.withPlace = (asker, run) => {
    if (asker.address === address) atArrival = begun.length
    return hasher.withPlace(asker, (placed) => {
      begun.push(asker.address)
      return run(placed)
    })
  }
  changeService(server.infrastructure, { passwords: { ...hasher, withPlace } })
  return () => begun.indexOf(address) - atArrival
}

describe('a caller who collects kept places', () => {
  it('does not put them before the first of another address', async () => {
    const one = await startTestAuth({
      env: { SVC_TRUSTED_PROXY_HOPS: '1', SVC_AUTH_BCRYPT_SALT_ROUNDS: '12' },
    })
    const user = await one.createUser()
    const { registration } = await createTestKey()
    const login = (email: string, address: string, headers: Record<string, string> = {}) =>
      one.call('login', { email, password: testPassword, ...registration }, undefined, {
        headers: { 'x-forwarded-for': address, ...headers },
      })
    const between = turnsBefore(one, '192.0.2.2')
    const flood = times(150, () => login('nobody@example.com', '192.0.2.1'))
    const refused = await Promise.race(
      flood.map(async (each) => {
        const answer = await each
        return answer.status === 503 ? answer : new Promise<never>(() => {})
      }),
    )
    expect(refused.body).toMatchObject({
      place: expect.any(String),
      retryAfter: Number(refused.headers.get('retry-after')),
    })
    const owner = await login(user.email, '192.0.2.2')
    await one.stop()
    await Promise.allSettled(flood)

    expect(owner.status).toBe(200)
    // One of the round that is under way.
    expect(between()).toBeLessThanOrEqual(2)
  })
})
