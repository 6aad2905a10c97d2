import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { createTestKey, startTestAuth, testPassword } from '../../testing.ts'

const auth = await startTestAuth({ env: { SVC_RATE_LIMIT: 'on' } })
afterAll(() => auth.stop())
beforeEach(() => auth.clock.advance('60s'))

const { registration } = await createTestKey()
const login = (email: string, given: { body?: object; headers?: Record<string, string> } = {}) =>
  auth.call(
    'login',
    { email, password: 'not the password at all', ...registration, ...given.body },
    undefined,
    { headers: given.headers ?? {} },
  )
/** The statuses of as many sign-ins one after the other. */
async function inTurn(count: number, ask: (index: number) => Promise<{ status: number }>) {
  const statuses: number[] = []
  for (let index = 0; index < count; index++) statuses.push((await ask(index)).status)
  return statuses
}
const of = (status: number, statuses: number[]) => statuses.filter((each) => each === status).length

describe('the limit of an account', () => {
  const spellings = [
    'victim@example.com',
    'VICTIM@EXAMPLE.COM',
    ' victim@example.com ',
    'victim@EXAMPLE.com',
    'ｖｉｃｔｉｍ@example.com',
    'victim@example。com',
    'ⓥictim@example.com',
    'victim＠example.com',
    'ᵛictim@example.com',
    '𝓿𝓲𝓬𝓽𝓲𝓶@example.com',
    'viⅽtim@example.com',
    'victim@ⓔxample.com',
  ]

  it('is one, however the address is written', async () => {
    const statuses = await inTurn(12, (index) => login(spellings[index] ?? ''))
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429, 429])
  })

  it('is one, whichever address a caller claims to have and whichever key it brings', async () => {
    const statuses = await inTurn(12, async (index) => {
      const { registration: another } = await createTestKey()
      const claimed = `203.0.113.${index}`
      return login('victim@example.com', {
        body: another,
        headers: {
          'x-forwarded-for': claimed,
          'x-real-ip': claimed,
          'x-client-ip': claimed,
          forwarded: `for=${claimed}`,
          'cf-connecting-ip': claimed,
          'true-client-ip': claimed,
        },
      })
    })
    expect(of(401, statuses)).toBe(10)
    expect(of(429, statuses)).toBe(2)
  })

  it('is one, however the path is written', async () => {
    const paths = ['/_auth/login', '/%5Fauth/login', '/_auth/%6cogin', '/_auth/login?a=b']
    const body = { email: 'victim@example.com', password: 'not the password', ...registration }
    const statuses = await inTurn(12, (index) =>
      auth.fetch(paths[index % 4] ?? '', {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      }),
    )
    expect(of(401, statuses)).toBe(10)
    expect(of(429, statuses)).toBe(2)
  })

  it('leaves the owner’s own device in, which only that key passes for', async () => {
    const { email, key } = await auth.signedInUser()
    await inTurn(10, () => login(email))
    expect(await login(email)).toMatchObject({ status: 429 })
    const password = { password: testPassword }
    expect(await login(email, { body: { ...key.registration, ...password } })).toMatchObject({
      status: 200,
    })
    const { keyId } = key.registration
    expect(await login(email, { body: { ...registration, keyId } })).toMatchObject({ status: 429 })
    const stranger = await auth.createUser()
    await inTurn(10, () => login(stranger.email))
    expect(await login(stranger.email, { body: key.registration })).toMatchObject({ status: 429 })
  })
})

describe('the limit of an address', () => {
  it('is that of the socket, and not what a caller claims', async () => {
    const statuses = await inTurn(102, (index) =>
      login(`${index}@example.com`, { headers: { 'x-forwarded-for': `203.0.113.${index}` } }),
    )
    expect(of(401, statuses)).toBe(100)
    expect(of(429, statuses)).toBe(2)
  })

  it('does not put what a caller claims on the list of devices', async () => {
    const user = await auth.createUser()
    const key = await createTestKey()
    const headers = { 'x-forwarded-for': '203.0.113.7', 'user-agent': 'unknown' }
    const body = { password: user.password, ...key.registration }
    expect(await login(user.email, { body, headers })).toMatchObject({ status: 200 })
    const [item] = (await auth.call('listKeys', {}, key)).body.keys
    expect(item.registeredIp).toBe('127.0.0.1')
    expect(item).not.toHaveProperty('registeredUserAgent')
  })
})
