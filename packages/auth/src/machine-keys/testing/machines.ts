import { done } from '../../test-answers.ts'
import { createTestKey, type TestAuth, type TestKey, type TestUser } from '../../testing.ts'

interface Choice {
  permissions?: string[]
  expiresInDays?: number
}

/** A program of a user who has just signed in, with a key of its own. */
export async function machineOf(
  { call }: Pick<TestAuth, 'call'>,
  { key }: Pick<TestUser, 'key'>,
  { permissions = [], ...choice }: Choice = {},
): Promise<TestKey> {
  const machine = await createTestKey()
  await done(call('createMachineKey', { ...machine.registration, permissions, ...choice }, key))
  return machine
}
