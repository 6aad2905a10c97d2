import { afterAll, expect, it } from 'vitest'
import { deviceKeys } from '../../keys/schema.ts'
import { createTestKey, startTestAuth } from '../../testing.ts'

const auth = await startTestAuth({ env: { SVC_RATE_LIMIT: 'on' } })
afterAll(() => auth.stop())

it('one account leaves ten used keys a minute, whichever key it rotates with', async () => {
  const { key, userId } = await auth.signedInUser()
  let current = key
  for (let rotations = 0; rotations < 10; rotations++) {
    const next = await createTestKey()
    const answer = await auth.call('rotateKey', next.registration, current)
    expect(answer.status).toBe(200)
    current = next
  }
  const { registration } = await createTestKey()
  expect(await auth.call('rotateKey', registration, current)).toMatchObject({ status: 429 })
  expect(await auth.keysOf(userId)).toHaveLength(11)
  // What ends a stolen device is never used up by it.
  for (let times = 0; times < 20; times++) {
    expect(await auth.call('revokeAllKeys', {}, current)).toMatchObject({ status: 200 })
  }
})

it('a list of keys stays short, and hides no device that signs behind those that have ended', async () => {
  const { key, userId } = await auth.signedInUser()
  const later = new Date(auth.clock.now().getTime() + 1000)
  const used = Array.from({ length: 1100 }, (_, index) => ({
    ...key.registration,
    keyId: `used-${userId}-${index}`,
    userId,
    state: 'revoked' as const,
    createdAt: later,
    authenticatedAt: later,
    expiresAt: later,
    revokedAt: later,
  }))
  await auth.auth.db.insert(deviceKeys).values(used)
  const { keys } = (await auth.call('listKeys', { includeRevoked: true }, key)).body
  expect(keys).toHaveLength(1000)
  expect(keys[0]).toMatchObject({ keyId: key.keyId, isActive: true })
})
