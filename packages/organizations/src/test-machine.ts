import type { TestUser } from '@svc/auth/testing'
import { createTestKey } from '@svc/auth/testing'
import type { Auth } from './test-organizations.ts'

/** The key of a program of a user, for which nothing is chosen. */
export async function machineOf(auth: Auth, owner: TestUser) {
  const key = await createTestKey()
  const body = { ...key.registration, permissions: [] }
  const { status } = await auth.call('createMachineKey', body, owner.key)
  if (status !== 201 && status !== 200) throw new Error(`createMachineKey answered ${status}`)
  return key
}
