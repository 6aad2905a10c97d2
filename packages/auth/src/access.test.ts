import { expect, it } from 'vitest'
import { authContract } from './contract.ts'
import { authRouter } from './router.ts'

it('exposes these operations, to these callers', () => {
  const table = Object.entries(authContract).map(
    ([name, { access, operation }]) => `${access} ${name} ${operation.method} ${operation.path}`,
  )
  expect(table.toSorted().join('\n')).toMatchInlineSnapshot(`
    "bearer getAuthSession GET /_auth/session
    bearer getUserProfile GET /_auth/users/profile
    bearer issueOneTimeToken POST /_auth/tokens
    bearer listKeys POST /_auth/keys/list
    bearer logout POST /_auth/logout
    bearer revokeKey POST /_auth/keys/revoke
    bearer rotateKey POST /_auth/keys/rotate
    bearer updateLocale PATCH /_auth/users/locale
    bearer updateUserProfile PATCH /_auth/users/profile
    bearer updateUsername PATCH /_auth/users/username
    may audit:read listAuditEvents GET /_auth/admin/audit
    public checkUsername GET /_auth/users/username/check
    public login POST /_auth/login
    public register POST /_auth/register
    public sendVerificationCode POST /_auth/codes
    public verifyCode POST /_auth/codes/verify
    step-up changePassword PUT /_auth/password
    step-up revokeAllKeys POST /_auth/keys/revoke-all
    superadmin createAdminRole POST /_auth/admin/roles
    superadmin deleteAdminRole DELETE /_auth/admin/roles/:roleId
    superadmin listRoles GET /_auth/admin/roles
    superadmin updateAdminRole PATCH /_auth/admin/roles/:roleId
    superadmin updateUserRole PATCH /_auth/admin/users/:userId/role"
  `)
})

it('serves the whole contract, under /_auth/ and nowhere else (A-001)', () => {
  expect(Object.keys(authRouter.routes).toSorted()).toEqual(Object.keys(authContract).toSorted())
  for (const { operation } of Object.values(authRouter.routes)) {
    expect(operation.path).toMatch(/^\/_auth\//)
  }
})
