import { redisProgram, startTestRedis } from '@svc/core/testing'
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { deviceKeys } from '../keys/schema.ts'
import { oneTimeTokens } from '../one-time-token/one-time-token.ts'
import { suspendUser } from '../suspension/suspension.ts'
import { startTestAuth, type TestAuth, type TestUser } from '../testing.ts'
import { streamingApplication } from './test-application.ts'
import { startTestInstance, type TestInstance } from './test-instance.ts'
import { openStream, streamToken } from './test-stream.ts'

// No event can tell the other instance: it has to look.
const limitMillis = 60_000

const definition = streamingApplication({ tokenManager: oneTimeTokens })

interface Given {
  auth: TestAuth
  other: TestInstance
}

async function millisOpen({ auth, other }: Given, act: (user: TestUser) => Promise<unknown>) {
  const user = await auth.signedInUser()
  const bystander = await auth.signedInUser()
  auth.clock.set(new Date())
  const [stream, goingOn] = await Promise.all(
    [user, bystander].map(async ({ key }) =>
      openStream(other.url, await streamToken(auth.url, auth.signerOf(key))),
    ),
  )
  expect([stream?.status, goingOn?.status]).toEqual([200, 200])
  await act(user)
  const begin = performance.now()
  await stream?.ended
  const millis = performance.now() - begin
  expect(goingOn?.isOpen()).toBe(true)
  goingOn?.close()
  return millis
}

describe('a stream of another instance ends within a minute', () => {
  it(
    'without a shared cache, when its device signs out or its key expires',
    async () => {
      const auth = await startTestAuth({ definition })
      const other = await startTestInstance(auth)
      const expire = ({ key: { keyId } }: TestUser) =>
        auth.auth.db
          .update(deviceKeys)
          .set({ expiresAt: new Date(Date.now() + 3000) })
          .where(eq(deviceKeys.keyId, keyId))
      const millis = await Promise.all([
        millisOpen({ auth, other }, ({ key }) => auth.call('logout', undefined, key)),
        millisOpen({ auth, other }, expire),
      ])
      console.info('ended after', millis.map(Math.round), 'ms')
      expect(Math.max(...millis)).toBeLessThan(limitMillis)
      await other.stop()
      await auth.stop()
    },
    2 * limitMillis,
  )

  it.skipIf(!redisProgram)(
    `while the cache is gone, when its account is suspended${redisProgram ? '' : ' (no redis-server on PATH)'}`,
    async () => {
      const redis = await startTestRedis()
      const env = { CACHE_URL: redis.url }
      const auth = await startTestAuth({ definition, env })
      const other = await startTestInstance(auth, env)
      const millis = await millisOpen({ auth, other }, async ({ userId }) => {
        await redis.kill()
        await suspendUser(userId)
      })
      console.info('ended after', Math.round(millis), 'ms')
      expect(millis).toBeLessThan(limitMillis)
      await redis.restart()
      await other.stop()
      await auth.stop()
      await redis.stop()
    },
    2 * limitMillis,
  )
})
