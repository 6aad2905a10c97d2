import { afterAll, describe, expect, it } from 'vitest'
import { createPasswordHasher } from '../../passwords/password-hasher.ts'
import { createTestKey, startTestAuth, testPassword } from '../../testing.ts'

const passwords = createPasswordHasher({
  rounds: 10,
  workers: 1,
  queueLimit: 8,
  log: { error: () => {} },
})
const auth = await startTestAuth({
  env: { SVC_TRUSTED_PROXY_HOPS: '1', SVC_AUTH_BCRYPT_SALT_ROUNDS: '10' },
})
afterAll(async () => {
  await passwords.close()
  await auth.stop()
})

/** What became of each: the order is that in which they asked. */
const outcomes = async (asked: readonly Promise<unknown>[]) =>
  (await Promise.allSettled(asked)).map(({ status }) => status)
const verify = (from: string | null) => passwords.verify(testPassword, null, from)
const times = (count: number, from: string | null) =>
  Array.from({ length: count }, () => verify(from))
const fulfilled = (statuses: string[]) => statuses.filter((each) => each === 'fulfilled').length

describe('an address that fills the queue of hashes', () => {
  it('may have all of it while nobody else asks', async () => {
    expect(fulfilled(await outcomes(times(20, '192.0.2.1')))).toBe(9)
  })

  it('makes room for others, until they have as much as it', async () => {
    const flood = outcomes(times(20, '192.0.2.1'))
    const others = outcomes(times(6, '192.0.2.2'))
    expect(fulfilled(await others)).toBe(4)
    expect(fulfilled(await flood)).toBe(5)
  })

  it('keeps nobody out who asks once', async () => {
    const flood = outcomes(times(20, '192.0.2.1'))
    const others = [2, 3, 4, 5, 6].map((host) => verify(`192.0.2.${host}`))
    expect(fulfilled(await outcomes([...others, verify(null)]))).toBe(6)
    await flood
  })

  it('is one address, whichever of its IPv6 network it writes', async () => {
    const hosts = Array.from({ length: 20 }, (_, host) => `2001:db8::${host.toString(16)}`)
    const flood = outcomes(hosts.map(verify))
    expect(await outcomes([verify('192.0.2.2')])).toEqual(['fulfilled'])
    expect(fulfilled(await flood)).toBe(8)
  })

  it('does not keep the owner of an account from signing in', async () => {
    const user = await auth.createUser()
    const { registration } = await createTestKey()
    const login = (email: string, address: string) =>
      auth.call('login', { email, password: testPassword, ...registration }, undefined, {
        headers: { 'x-forwarded-for': address },
      })
    const flood = Array.from({ length: 200 }, () => login('nobody@example.com', '192.0.2.1'))
    await Promise.race(flood)
    expect(await login(user.email, '192.0.2.2')).toMatchObject({ status: 200 })
    const statuses = (await Promise.all(flood)).map(({ status }) => status)
    expect(statuses.filter((status) => status !== 401 && status !== 503)).toEqual([])
  })
})
