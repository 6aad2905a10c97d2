import type { AuthContract } from '../auth-contract.ts'
import type { TestAuth } from '../testing.ts'

/** Roles that a test makes, and what one asks about them who may do everything. */
export async function testRoles(auth: TestAuth) {
  const root = await auth.signedInUser({ role: 'superadmin' })

  let count = 0
  const freshName = () => `role-${++count}`

  async function freshRole(fields: Record<string, unknown> = {}) {
    const role = { name: freshName(), displayName: 'A role', ...fields }
    const { body } = await auth.call('createAdminRole', role, root.key)
    return body.role
  }

  const asRoot = (
    name: keyof AuthContract,
    { params, body }: { params?: Record<string, string>; body?: unknown } = {},
  ) => auth.call(name, body, root.key, { ...(params && { params }) })

  return { root, freshName, freshRole, asRoot }
}
