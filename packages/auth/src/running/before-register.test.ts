import { route } from '@svc/core/contract'
import { eq } from 'drizzle-orm'
import { afterAll, expect, it } from 'vitest'
import { users } from '../accounts/schema.ts'
import { defineCapability } from '../capability/capability.ts'
import { allow, defineContract } from '../capability/contract.ts'
import { RegistrationRejectedError } from '../register/errors.ts'
import { createTestKey, startTestAuth, testPassword } from '../testing.ts'

const contract = defineContract('guest-list', {
  operations: { listGuests: allow.bearer('owner only')(route.get('/_auth/guest-list')) },
})

const asked: unknown[] = []
const guestList = defineCapability(contract, {
  handlers: { listGuests: () => ({}) },
  account: {
    beforeRegister(context) {
      asked.push(context)
      if (context.email?.startsWith('stranger')) throw new RegistrationRejectedError()
    },
  },
})

const auth = await startTestAuth({ options: { capabilities: [guestList] } })
afterAll(() => auth.stop())

async function register(email: string) {
  const verificationToken = await auth.verificationToken(email, 'registration')
  const { registration } = await createTestKey()
  const body = { email, password: testPassword, verificationToken, ...registration }
  return auth.call('register', body)
}

it('asks a capability in the transaction of a new account, and leaves nothing of one that it refuses', async () => {
  expect(await register('guest@example.com')).toMatchObject({ status: 200 })
  expect(asked).toEqual([{ channel: 'code', email: 'guest@example.com', emailVerified: true }])

  const refused = await register('stranger@example.com')
  expect(refused.body.error.code).toBe('RegistrationRejectedError')
  const rows = auth.auth.db.select().from(users).where(eq(users.email, 'stranger@example.com'))
  expect(await rows).toEqual([])
})
