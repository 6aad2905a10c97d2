import { expect, it } from 'vitest'
import { authContract } from './contract.ts'
import { authRouter } from './router.ts'

it('exposes these operations, to these callers', () => {
  const table = Object.entries(authContract).map(
    ([name, { access, operation }]) => `${access} ${name} ${operation.method} ${operation.path}`,
  )
  expect(table.toSorted().join('\n')).toMatchInlineSnapshot(`
    "bearer denyDeviceAuth POST /_auth/device/deny
    bearer getAuthSession GET /_auth/session
    bearer getDeviceAuthInfo POST /_auth/device/info
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
    may user:invite cancelInvitation POST /_auth/invitations/cancel
    may user:invite createInvitation POST /_auth/invitations
    may user:invite resendInvitation POST /_auth/invitations/resend
    may user:read listInvitations GET /_auth/invitations
    public acceptInvitation POST /_auth/invitations/accept
    public cancelAccountDeletion POST /_auth/deletion/cancel
    public checkUsername GET /_auth/users/username/check
    public confirmContactUndoLink POST /_auth/users/contact-undo/confirm
    public confirmPasswordReset POST /_auth/password/reset/confirm
    public confirmRevokeAllLink POST /_auth/keys/revoke-all/confirm
    public confirmSignupLink POST /_auth/signup/email/confirm
    public consumeContactUndoLink POST /_auth/users/contact-undo/consume
    public consumeRevokeAllLink POST /_auth/keys/revoke-all/consume
    public getInvitation POST /_auth/invitations/lookup
    public login POST /_auth/login
    public pollDeviceAuth POST /_auth/device/poll
    public register POST /_auth/register
    public requestPasswordReset POST /_auth/password/reset
    public requestSignupLink POST /_auth/signup/email
    public sendVerificationCode POST /_auth/codes
    public startDeviceAuth POST /_auth/device/start
    public verifyCode POST /_auth/codes/verify
    setup completePasswordReset POST /_auth/password/reset/complete
    setup completeSignup POST /_auth/signup/password
    step-up approveDeviceAuth POST /_auth/device/approve
    step-up changeEmail PUT /_auth/users/email
    step-up changePassword PUT /_auth/password
    step-up changePhone PUT /_auth/users/phone
    step-up exportUserData POST /_auth/users/export
    step-up requestAccountDeletion POST /_auth/deletion/request
    step-up revokeAllKeys POST /_auth/keys/revoke-all
    superadmin createAdminRole POST /_auth/admin/roles
    superadmin deleteAdminRole DELETE /_auth/admin/roles/:roleId
    superadmin deleteInvitation POST /_auth/invitations/delete
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
