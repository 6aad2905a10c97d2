import { expect, it } from 'vitest'
import { authContract } from './contract.ts'
import { authRouter } from './router.ts'

it('exposes these operations, to these callers', () => {
  const table = Object.entries(authContract).map(
    ([name, { access, operation }]) => `${access} ${name} ${operation.method} ${operation.path}`,
  )
  expect(table.toSorted().join('\n')).toMatchInlineSnapshot(`
    "any-key getAuthSession GET /_auth/session
    any-key issueOneTimeToken POST /_auth/tokens
    any-key logout POST /_auth/logout
    any-key rotateKey POST /_auth/keys/rotate
    bearer denyDeviceAuth POST /_auth/device/deny
    bearer getDeviceAuthInfo POST /_auth/device/info
    bearer getSessionBinding GET /_auth/session/binding
    bearer getUserProfile GET /_auth/users/profile
    bearer listKeys POST /_auth/keys/list
    bearer listOAuth2Grants GET /_auth/oauth2/grants
    bearer listPasskeys POST /_auth/passkeys/list
    bearer listSocialAccounts POST /_auth/social/list
    bearer mfaStatus GET /_auth/mfa/status
    bearer mfaStatusOfDevice POST /_auth/mfa/status
    bearer mfaStepUp POST /_auth/mfa/step-up
    bearer mfaStepUpOptions POST /_auth/mfa/step-up/options
    bearer renamePasskey POST /_auth/passkeys/rename
    bearer revokeKey POST /_auth/keys/revoke
    bearer revokeOAuth2Grant DELETE /_auth/oauth2/grants/:grantId
    bearer sessionBindingDisableOptions POST /_auth/session/binding/disable/options
    bearer setSessionBinding POST /_auth/session/binding
    bearer updateLocale PATCH /_auth/users/locale
    bearer updateUserProfile PATCH /_auth/users/profile
    bearer updateUsername PATCH /_auth/users/username
    may audit:read listAuditEvents GET /_auth/admin/audit
    may user:invite cancelInvitation POST /_auth/invitations/cancel
    may user:invite createInvitation POST /_auth/invitations
    may user:invite resendInvitation POST /_auth/invitations/resend
    may user:read listInvitations GET /_auth/invitations
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
    public unlinkNotify POST /_auth/oauth/:provider/unlink-notify
    public unlinkNotifyByQuery GET /_auth/oauth/:provider/unlink-notify
    public verifyCode POST /_auth/codes/verify
    setup completePasswordReset POST /_auth/password/reset/complete
    setup completeSignup POST /_auth/signup/password
    step-up approveDeviceAuth POST /_auth/device/approve
    step-up changeEmail PUT /_auth/users/email
    step-up changePassword PUT /_auth/password
    step-up changePhone PUT /_auth/users/phone
    step-up createMachineKey POST /_auth/keys/machine
    step-up createOAuth2AuthorizationCode POST /_auth/oauth2/authorize
    step-up exportUserData POST /_auth/users/export
    step-up linkSocialAccount POST /_auth/social/link
    step-up mfaDisable POST /_auth/mfa/disable
    step-up mfaMarkPasskey POST /_auth/mfa/passkey/mark
    step-up mfaRegenerateRecoveryCodes POST /_auth/mfa/recovery/regenerate
    step-up mfaTotpConfirm POST /_auth/mfa/totp/confirm
    step-up mfaTotpEnroll POST /_auth/mfa/totp/enroll
    step-up passkeyRegisterOptions POST /_auth/passkeys/register/options
    step-up passkeyRegisterVerify POST /_auth/passkeys/register/verify
    step-up requestAccountDeletion POST /_auth/deletion/request
    step-up revokeAllKeys POST /_auth/keys/revoke-all
    step-up revokePasskey POST /_auth/passkeys/revoke
    step-up unlinkSocialAccount POST /_auth/social/unlink
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
