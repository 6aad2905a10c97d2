import { expect, it } from 'vitest'
import { accessTable } from './answers-to-callers.ts'
import { authContract } from './auth-contract.ts'
import { authContracts } from './contracts.ts'
import { authRouter } from './router.ts'

it('exposes these operations, to these callers', () => {
  expect(accessTable(authContracts).join('\n')).toMatchInlineSnapshot(`
    "any-key getAuthSession GET /_auth/session
    any-key issueOneTimeToken POST /_auth/tokens
    any-key logout POST /_auth/logout
    any-key rotateKey POST /_auth/keys/rotate
    bearer denyDeviceAuth POST /_auth/device/deny
    bearer endSupportSession POST /_auth/support/sessions/end
    bearer getDeviceAuthInfo POST /_auth/device/info
    bearer getOAuth2DeviceRequest POST /_auth/oauth2/device/info
    bearer getOAuth2Grant GET /_auth/oauth2/grants/:grantId
    bearer getSessionBinding GET /_auth/session/binding
    bearer getUserProfile GET /_auth/users/profile
    bearer listApprovals GET /_auth/approvals
    bearer listKeys POST /_auth/keys/list
    bearer listOAuth2Grants GET /_auth/oauth2/grants
    bearer listPasskeys POST /_auth/passkeys/list
    bearer listSocialAccounts POST /_auth/social/list
    bearer mfaStatus GET /_auth/mfa/status
    bearer mfaStatusOfDevice POST /_auth/mfa/status
    bearer mfaStepUp POST /_auth/mfa/step-up
    bearer mfaStepUpOptions POST /_auth/mfa/step-up/options
    bearer pendingFactorRemoval GET /_auth/users/factor-removal
    bearer proveRecentOptions POST /_auth/recent/options
    bearer refuseCall POST /_auth/approvals/:approvalId/refuse
    bearer renamePasskey POST /_auth/passkeys/rename
    bearer revokeKey POST /_auth/keys/revoke
    bearer revokeOAuth2Grant DELETE /_auth/oauth2/grants/:grantId
    bearer sessionBindingDisableOptions POST /_auth/session/binding/disable/options
    bearer updateLocale PATCH /_auth/users/locale
    bearer updateUserProfile PATCH /_auth/users/profile
    bearer updateUsername PATCH /_auth/users/username
    fresh approveCall POST /_auth/approvals/:approvalId/approve
    fresh approveDeviceAuth POST /_auth/device/approve
    fresh changeEmail PUT /_auth/users/email
    fresh changePhone PUT /_auth/users/phone
    fresh createMachineKey POST /_auth/keys/machine
    fresh createSupportCode POST /_auth/support/code
    fresh for passkeys passkeyRegisterOptions POST /_auth/passkeys/register/options
    fresh for passkeys passkeyRegisterVerify POST /_auth/passkeys/register/verify
    fresh for passkeys revokePasskey POST /_auth/passkeys/revoke
    fresh for some createOAuth2AuthorizationCode POST /_auth/oauth2/authorize
    fresh for some decideOAuth2DeviceRequest POST /_auth/oauth2/device/decide
    fresh for some setSessionBinding POST /_auth/session/binding
    fresh for some, may user:invite createInvitation POST /_auth/invitations
    fresh for some, may user:invite resendInvitation POST /_auth/invitations/resend
    fresh keepFactor POST /_auth/users/factor-removal/keep
    fresh linkSocialAccount POST /_auth/social/link
    fresh mfaMarkPasskey POST /_auth/mfa/passkey/mark
    fresh mfaTotpConfirm POST /_auth/mfa/totp/confirm
    fresh mfaTotpEnroll POST /_auth/mfa/totp/enroll
    fresh superadmin addUserRole POST /_auth/admin/users/:userId/roles
    fresh superadmin createAdminRole POST /_auth/admin/roles
    fresh superadmin deleteAdminRole DELETE /_auth/admin/roles/:roleId
    fresh superadmin deleteInvitation POST /_auth/invitations/delete
    fresh superadmin removeUserRole DELETE /_auth/admin/users/:userId/roles/:role
    fresh superadmin updateAdminRole PATCH /_auth/admin/roles/:roleId
    fresh superadmin updateUserRole PATCH /_auth/admin/users/:userId/role
    fresh unlinkSocialAccount POST /_auth/social/unlink
    fresh, may job:write cancelJob POST /_auth/admin/jobs/:jobId/cancel
    fresh, may job:write retryJob POST /_auth/admin/jobs/:jobId/retry
    fresh, may stream:write endStream DELETE /_auth/admin/streams/:streamId
    fresh, may support:act openSupportSession POST /_auth/support/sessions
    fresh, may user:delete closeUser POST /_auth/admin/users/:userId/close
    fresh, may user:delete restoreUser POST /_auth/admin/users/:userId/restore
    fresh, may user:invite inviteUsers POST /_auth/admin/invitations
    fresh, may user:read exportUser POST /_auth/admin/users/:userId/export
    fresh, may user:write createUser POST /_auth/admin/users
    fresh, may user:write endAgentGrant POST /_auth/admin/grants/:grantId/end
    fresh, may user:write reactivateUser POST /_auth/admin/users/:userId/reactivate
    fresh, may user:write removeUserFactor POST /_auth/admin/users/:userId/remove-factor
    fresh, may user:write requireNewPassword POST /_auth/admin/users/:userId/require-password
    fresh, may user:write resendUserMail POST /_auth/admin/users/:userId/resend-mail
    fresh, may user:write signUserOut POST /_auth/admin/users/:userId/sign-out
    fresh, may user:write suspendUser POST /_auth/admin/users/:userId/suspend
    fresh, may user:write updateUser PATCH /_auth/admin/users/:userId
    may audit:read listAuditEvents GET /_auth/admin/audit
    may job:read listJobQueues GET /_auth/admin/jobs/queues
    may job:read listJobs GET /_auth/admin/jobs
    may job:read readJob GET /_auth/admin/jobs/:jobId
    may server:read listLimitHits GET /_auth/admin/limits
    may server:read readServerState GET /_auth/admin/server
    may stream:read listStreams GET /_auth/admin/streams
    may user:invite cancelInvitation POST /_auth/invitations/cancel
    may user:read listAgents GET /_auth/admin/agents
    may user:read listInvitations GET /_auth/invitations
    may user:read listMachines GET /_auth/admin/machines
    may user:read listUsers GET /_auth/admin/users
    may user:read readUser GET /_auth/admin/users/:userId
    optional getOAuth2Authorize GET /_auth/oauth2/authorize
    optional registerOAuth2Client POST /_auth/oauth2/register
    public acceptInvitation POST /_auth/invitations/accept
    public cancelAccountDeletion POST /_auth/deletion/cancel
    public checkUsername GET /_auth/users/username/check
    public confirmContactUndoLink POST /_auth/users/contact-undo/confirm
    public confirmPasswordReset POST /_auth/password/reset/confirm
    public confirmRevokeAllLink POST /_auth/keys/revoke-all/confirm
    public confirmSignupLink POST /_auth/signup/email/confirm
    public consumeContactUndoLink POST /_auth/users/contact-undo/consume
    public consumeRevokeAllLink POST /_auth/keys/revoke-all/consume
    public finalize POST /_auth/oauth/finalize
    public getGoogleOAuthUrl POST /_auth/oauth/google/url
    public getInvitation POST /_auth/invitations/lookup
    public getProviderOAuthUrl POST /_auth/oauth/:provider/url
    public login POST /_auth/login
    public mfaVerify POST /_auth/mfa/verify
    public mfaVerifyOptions POST /_auth/mfa/verify/options
    public oauth2DeviceAuthorization POST /_auth/oauth2/device_authorization
    public oauth2Introspect POST /_auth/oauth2/introspect
    public oauth2Revoke POST /_auth/oauth2/revoke
    public oauth2Token POST /_auth/oauth2/token
    public oauthCallback GET /_auth/oauth/:provider/callback
    public oauthNative POST /_auth/oauth/:provider/native
    public passkeyLoginOptions POST /_auth/passkeys/login/options
    public passkeyLoginVerify POST /_auth/passkeys/login/verify
    public pollDeviceAuth POST /_auth/device/poll
    public providers GET /_auth/oauth/providers
    public redirectToProvider GET /_auth/oauth/:provider
    public register POST /_auth/register
    public requestPasswordReset POST /_auth/password/reset
    public requestSignupLink POST /_auth/signup/email
    public sendVerificationCode POST /_auth/codes
    public sessionRenewOptions POST /_auth/session/renew/options
    public sessionRenewVerify POST /_auth/session/renew/verify
    public start POST /_auth/oauth/start
    public startDeviceAuth POST /_auth/device/start
    public stopFactorRemoval POST /_auth/users/factor-removal/stop
    public unlinkNotify POST /_auth/oauth/:provider/unlink-notify
    public unlinkNotifyByQuery GET /_auth/oauth/:provider/unlink-notify
    public verifyCode POST /_auth/codes/verify
    setup completePasswordReset POST /_auth/password/reset/complete
    setup completeSignup POST /_auth/signup/password
    step-up changePassword PUT /_auth/password
    step-up exportUserData POST /_auth/users/export
    step-up mfaDisable POST /_auth/mfa/disable
    step-up mfaRegenerateRecoveryCodes POST /_auth/mfa/recovery/regenerate
    step-up proveRecent POST /_auth/recent
    step-up requestAccountDeletion POST /_auth/deletion/request
    step-up revokeAllKeys POST /_auth/keys/revoke-all
    superadmin listRoles GET /_auth/admin/roles"
  `)
})

it('asks for a fresh proof for what mints a credential or gives power (decisions 16)', () => {
  const fresh = Object.entries(authContract).filter(([, { access }]) => access.startsWith('fresh'))
  const table = fresh.map(([name, { access }]) => `${access}: ${name}`)
  expect(table.toSorted().join('\n')).toMatchInlineSnapshot(`
    "fresh for passkeys: passkeyRegisterOptions
    fresh for passkeys: passkeyRegisterVerify
    fresh for passkeys: revokePasskey
    fresh for some, may user:invite: createInvitation
    fresh for some, may user:invite: resendInvitation
    fresh for some: createOAuth2AuthorizationCode
    fresh for some: decideOAuth2DeviceRequest
    fresh for some: setSessionBinding
    fresh superadmin: addUserRole
    fresh superadmin: createAdminRole
    fresh superadmin: deleteAdminRole
    fresh superadmin: deleteInvitation
    fresh superadmin: removeUserRole
    fresh superadmin: updateAdminRole
    fresh superadmin: updateUserRole
    fresh, may job:write: cancelJob
    fresh, may job:write: retryJob
    fresh, may stream:write: endStream
    fresh, may support:act: openSupportSession
    fresh, may user:delete: closeUser
    fresh, may user:delete: restoreUser
    fresh, may user:invite: inviteUsers
    fresh, may user:read: exportUser
    fresh, may user:write: createUser
    fresh, may user:write: endAgentGrant
    fresh, may user:write: reactivateUser
    fresh, may user:write: removeUserFactor
    fresh, may user:write: requireNewPassword
    fresh, may user:write: resendUserMail
    fresh, may user:write: signUserOut
    fresh, may user:write: suspendUser
    fresh, may user:write: updateUser
    fresh: approveCall
    fresh: approveDeviceAuth
    fresh: changeEmail
    fresh: changePhone
    fresh: createMachineKey
    fresh: createSupportCode
    fresh: keepFactor
    fresh: linkSocialAccount
    fresh: mfaMarkPasskey
    fresh: mfaTotpConfirm
    fresh: mfaTotpEnroll
    fresh: unlinkSocialAccount"
  `)
})

it('serves the whole contract, under /_auth/ and nowhere else (A-001)', () => {
  expect(Object.keys(authRouter.routes).toSorted()).toEqual(Object.keys(authContract).toSorted())
  for (const { operation } of Object.values(authRouter.routes)) {
    expect(operation.path).toMatch(/^\/_auth\//)
  }
})
