import { defineRouter, route } from '@svc/core'
import { afterAll, describe, expect, it } from 'vitest'
import { createTestKey, startTestAuth, type TestKey, type TestUser } from '../testing.ts'

const window = 300_000
const auth = await startTestAuth({
  router: defineRouter({ used: route.get('/used').handler(() => 'used') }),
  // What the header says is believed, so that one machine can be two.
  env: { SVC_TRUSTED_PROXY_HOPS: '1' },
})
afterAll(auth.stop)

async function use(key: TestKey, address: string) {
  const url = `${auth.url}/used`
  const headers = await auth.signerOf(key)({ method: 'GET', url })
  const answer = await fetch(url, { headers: { ...headers, 'x-forwarded-for': address } })
  expect(answer.status).toBe(200)
}

/** A key as the list shows it, which another device of the account asks for. */
async function itemOf({ key, ...user }: TestUser) {
  await auth.auth.keyUse.flush()
  const { body } = await auth.call('listKeys', {}, await auth.signIn(user))
  return body.keys.find(({ keyId }: TestKey) => keyId === key.keyId)
}

describe('the use of a key', () => {
  it('is noted with its moment, at most once a minute', async () => {
    const user = await auth.signedInUser()
    const { key } = user
    await use(key, '192.0.2.1')
    const first = auth.clock.now().getTime()
    expect((await itemOf(user)).lastUsedAtMillis).toBe(first)
    auth.clock.advance('59s')
    await use(key, '192.0.2.1')
    expect((await itemOf(user)).lastUsedAtMillis).toBe(first)
    auth.clock.advance('1s')
    await use(key, '192.0.2.1')
    expect((await itemOf(user)).lastUsedAtMillis).toBe(first + 60_000)
  })

  it('from two addresses within the window is shown, and refuses nothing (A-038, A-039)', async () => {
    const user = await auth.signedInUser()
    const { key } = user
    await use(key, '192.0.2.1')
    expect(await itemOf(user)).not.toHaveProperty('concurrentUseAtMillis')
    auth.clock.advance(window)
    await use(key, '192.0.2.2')
    const seen = auth.clock.now().getTime()

    const item = await itemOf(user)
    expect(item.concurrentUseAtMillis).toBe(seen)
    expect(JSON.stringify(item)).not.toContain('192.0.2.')
    await use(key, '192.0.2.1')
  })

  it('from two addresses further apart is not (A-038)', async () => {
    const user = await auth.signedInUser()
    const { key } = user
    await use(key, '192.0.2.1')
    await itemOf(user)
    auth.clock.advance(window + 1)
    await use(key, '192.0.2.2')

    expect(await itemOf(user)).not.toHaveProperty('concurrentUseAtMillis')
  })

  it('from two addresses at once is seen within one batch', async () => {
    const user = await auth.signedInUser()
    const { key } = user
    await Promise.all([use(key, '192.0.2.1'), use(key, '192.0.2.2')])

    expect((await itemOf(user)).concurrentUseAtMillis).toBe(auth.clock.now().getTime())
  })

  it('changes nothing of where the key was registered, and asks nothing of it (A-028)', async () => {
    const { email, password } = await auth.createUser()
    const key = await createTestKey()
    const login = (address: string, agent: string) =>
      auth.call('login', { email, password, ...key.registration }, undefined, {
        headers: { 'x-forwarded-for': address, 'user-agent': agent },
      })
    await login('192.0.2.1', 'first')
    await use(key, '192.0.2.2')
    expect(await login('192.0.2.3', 'second')).toMatchObject({ status: 200 })
    await use(key, '192.0.2.4')
    await auth.auth.keyUse.flush()
    const { body } = await auth.call('listKeys', {}, key)
    const registered = { registeredIp: '192.0.2.1', registeredUserAgent: 'first' }
    expect(body.keys).toMatchObject([{ keyId: key.keyId, ...registered }])
  })

  it('by an address that no trusted proxy vouches for is the socket’s (A-040)', async () => {
    const direct = await startTestAuth({
      router: defineRouter({ used: route.get('/used').handler(() => 'used') }),
    })
    const { key } = await direct.signedInUser()
    const url = `${direct.url}/used`
    for (const address of ['192.0.2.1', '192.0.2.2']) {
      const headers = await direct.signerOf(key)({ method: 'GET', url })
      await fetch(url, { headers: { ...headers, 'x-forwarded-for': address } })
    }
    await direct.auth.keyUse.flush()
    const [item] = (await direct.call('listKeys', {}, key)).body.keys
    await direct.stop()

    expect(item).not.toHaveProperty('concurrentUseAtMillis')
    expect(item.registeredIp).toBe('127.0.0.1')
  })
})
