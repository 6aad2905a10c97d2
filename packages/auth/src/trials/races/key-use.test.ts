import { sql } from 'drizzle-orm'
import { afterAll, expect, it } from 'vitest'
import { authOf } from '../../auth.ts'
import { startRace } from './race.ts'

const auth = await startRace()
afterAll(() => auth.stop())

it('notes when keys were used without waiting for a transaction that holds one, which could deadlock', async () => {
  const user = await auth.signedInUser()
  const keys = [user.key, await auth.signIn(user), await auth.signIn(user)]
  for (const at of auth.instances) {
    for (const key of keys) await auth.call('getAuthSession', undefined, key, { at })
  }
  await auth.auth.db.transaction(async (tx) => {
    const { keyId } = user.key
    await tx.execute(sql`select from svc_auth.device_keys where key_id = ${keyId} for update`)
    for (const { infrastructure } of auth.instances) await authOf(infrastructure).keyUse.flush()
  })

  const unused = (await auth.keysOf(user.userId)).filter(({ lastUsedAt }) => lastUsedAt === null)
  expect(unused.map(({ keyId }) => keyId)).toEqual([user.key.keyId])
  const warnings = auth.instances.flatMap(({ logged }) =>
    logged.filter(({ level }) => level === 'warn'),
  )
  expect(warnings).toEqual([])
})
