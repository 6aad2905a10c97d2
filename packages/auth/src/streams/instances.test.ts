import { redisProgram, startTestRedis, type TestRedis } from '@svc/core/testing'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { oneTimeTokens } from '../one-time-token/one-time-token.ts'
import { addPermissionToRole, updateRole } from '../roles/roles.ts'
import { suspendUser } from '../suspension/suspension.ts'
import { startTestAuth, type TestAuth, type TestKey, type TestUser } from '../testing.ts'
import { streamingApplication } from './test-application.ts'
import { startTestInstance, type TestInstance } from './test-instance.ts'
import { openStream, streamToken, type TestStream } from './test-stream.ts'

const definition = streamingApplication({ tokenManager: oneTimeTokens })
let auth: TestAuth
let root: TestUser

/** Opens a stream at one instance with a token of the other. */
async function open(key: TestKey, at: string) {
  // The other process has a clock that goes.
  auth.clock.set(new Date())
  const stream = await openStream(at, await streamToken(auth.url, auth.signerOf(key)))
  expect(stream.status).toBe(200)
  return stream
}

async function millisUntilEnd(stream: TestStream, act: () => Promise<unknown>) {
  const begin = performance.now()
  void act()
  await stream.ended
  return performance.now() - begin
}

type Act = (user: TestUser) => Promise<unknown>

const acts: [string, Act][] = [
  ['its device signs out', ({ key }) => auth.call('logout', undefined, key)],
  [
    'all devices are signed out',
    ({ key }) => auth.call('revokeAllKeys', { includeCurrent: true }, key),
  ],
  ['its account is suspended', ({ userId }) => suspendUser(userId)],
  [
    'its account gets another role',
    ({ userId }) =>
      auth.call('updateUserRole', { role: 'admin' }, root.key, { params: { userId } }),
  ],
  ['its role grants more', () => addPermissionToRole('user', 'user:read')],
]

const missing = redisProgram ? '' : ' (no redis-server on PATH)'

describe.skipIf(missing)(`over Redis${missing}`, () => {
  let redis: TestRedis
  let other: TestInstance
  beforeAll(async () => {
    redis = await startTestRedis()
    auth = await startTestAuth({ definition, env: { CACHE_URL: redis.url } })
    root = await auth.signedInUser({ role: 'superadmin' })
    other = await startTestInstance(auth, { CACHE_URL: redis.url })
  })
  afterAll(async () => {
    await other.stop()
    await auth.stop()
    await redis.stop()
  })

  it.each(acts)('a stream of another instance ends within a second when %s', async (_, act) => {
    const user = await auth.signedInUser()
    const stream = await open(user.key, other.url)
    expect(await millisUntilEnd(stream, () => act(user))).toBeLessThan(1000)
  })

  it.each([
    ['stalled', async () => redis.pause(), async () => redis.resume()],
    ['killed', () => redis.kill(), () => redis.restart()],
  ] as const)(
    'a stream of this instance ends at once while the cache is %s',
    async (outage, begin, end) => {
      const role = 'admin'
      const [user, holder] = [await auth.signedInUser(), await auth.signedInUser({ role })]
      const own = await open(user.key, auth.url)
      const ofRole = await open(holder.key, auth.url)
      await begin()
      try {
        expect(await millisUntilEnd(own, () => suspendUser(user.userId))).toBeLessThan(500)
        const permissions = outage === 'stalled' ? ['user:read'] : ['user:write']
        const change = () => updateRole(role, { permissions })
        expect(await millisUntilEnd(ofRole, change)).toBeLessThan(500)
      } finally {
        await end()
      }
      const after = await auth.createUser()
      await vi.waitFor(async () => open(await auth.signIn(after), auth.url), 10_000)
    },
  )
})

describe('over PostgreSQL as the cache', () => {
  let other: TestInstance
  beforeAll(async () => {
    const env = { CACHE_URL: 'postgres:' }
    auth = await startTestAuth({ definition, env })
    root = await auth.signedInUser({ role: 'superadmin' })
    other = await startTestInstance(auth, env)
  })
  afterAll(async () => {
    await other.stop()
    await auth.stop()
  })

  it.each(acts)('a stream of another instance ends within a second when %s', async (_, act) => {
    const user = await auth.signedInUser()
    const stream = await open(user.key, other.url)
    expect(await millisUntilEnd(stream, () => act(user))).toBeLessThan(1000)
  })
})
