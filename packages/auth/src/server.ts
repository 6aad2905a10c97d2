export { findGeneration } from './accounts/find-account.ts'
export { type LockedAccount, lockAccount } from './accounts/lock-account.ts'
export { allow, type DeclaredRoute } from './application/allow.ts'
export * from './application/permission-name.ts'
export { readAuditTrail } from './audit/read-audit-trail.ts'
export { authenticate } from './authenticate/authenticate.ts'
export { issueLegacyToken } from './authenticate/legacy-jwt.ts'
export { optionalAuth } from './authenticate/optional-auth.ts'
export type { AuthorizationServerOptions } from './authorization-server/options.ts'
export {
  getAuth,
  getKeyId,
  getLocale,
  getOptionalAuth,
  getRole,
  getUser,
  getUserId,
} from './caller/context.ts'
export type { RequestOrigin } from './caller/request-origin.ts'
export { requirePerson } from './caller/require-person.ts'
export type {
  AccountParts,
  Ended,
  EveryoneEnd,
  ExportedAccount,
  Made,
  MadeEnd,
  MadeParts,
  Owner,
  SecondFactor,
  Succession,
} from './capability/account-parts.ts'
export type { PermissionDeclaration } from './capability/capability.ts'
export {
  type Capability,
  type CapabilityParts,
  defineCapability,
  type Handlers,
  type Held,
  type HeldBy,
  type Opening,
} from './capability/capability.ts'
export type { LinkFacts, LinkPlan, Links, SpentLink } from './capability/links.ts'
export type { Service } from './capability/provided.ts'
export type {
  AccountWideRevocation,
  CheckedKey,
  KeyLife,
  Registered,
  Registration,
  SignIn,
  Ways,
} from './capability/ways.ts'
export { UnreadableSecretError } from './crypto/keyring.ts'
export { exportUserData, type UserData } from './data-export/export-user-data.ts'
export { signOutEveryone } from './everyone/sign-out-everyone.ts'
export { requireStepUp } from './fresh-proof/require-step-up.ts'
export * from './index.ts'
export { inviteUser } from './invitations/invite-user.ts'
export { keyringUse, type RingKeyUse } from './keyring/keyring-use.ts'
export { checkNewKey } from './keys/check-new-key.ts'
export { type AuthOptions, createAuthLifecycle } from './lifecycle.ts'
export { removeSecondFactor } from './mfa/remove-second-factor.ts'
export { mailUser } from './notices/mail-user.ts'
export { accessTokenAuth, getAccessToken } from './oauth2/access-token-auth.ts'
export { type AccessToken, verifyAccessToken } from './oauth2/verify-access-token.ts'
export { oneTimeTokenAuth } from './one-time-token/one-time-token-auth.ts'
export { oneTimeTokens } from './one-time-token/one-time-tokens.ts'
export {
  type AuthorizationRequest,
  type CodeExchange,
  type NativeSignIn,
  type OAuthProvider,
  type ProviderIdentity,
  ProviderRefusalError,
  type ProviderTokens,
  type UnlinkNotification,
  type UnlinkRequest,
} from './openid/provider.ts'
export {
  configureOAuthTokenCipher,
  type OAuthTokenCipher,
  type TokenContext,
} from './providers/configure-oauth-token-cipher.ts'
export { createOidcProvider, type OidcProviderOptions } from './providers/oidc.ts'
export { registerOAuthProvider } from './providers/registry.ts'
export {
  createRevokeAllLink,
  mailRevokeAllLink,
  type RevokeAllLinkOptions,
} from './revoke-all/create-revoke-all-link.ts'
export type { RoleDeclaration, RoleDeclarations } from './roles/check-declarations.ts'
export { createRole, type NewRole } from './roles/create-role.ts'
export { deleteRole } from './roles/delete-role.ts'
export { getAllRoles, getRoleByName } from './roles/list-roles.ts'
export { requireAnyPermission, requirePermissions } from './roles/require-permissions.ts'
export { requireRole, roleGuard } from './roles/require-role.ts'
export {
  addPermissionToRole,
  getRolePermissions,
  removePermissionFromRole,
  setRolePermissions,
} from './roles/role-permissions.ts'
export { type RoleChanges, updateRole } from './roles/update-role.ts'
export {
  getKeyPermissions,
  getUserPermissions,
  getUserRole,
  hasAllPermissions,
  hasAnyPermission,
  hasAnyRole,
  hasPermission,
  hasRole,
} from './roles/user-permissions.ts'
export { authRouter, createAuthRouter } from './router.ts'
export { answerSignIn } from './sign-in/answer-sign-in.ts'
export { getOAuthProvider, getRegisteredProviders } from './social/get-oauth-provider.ts'
export {
  getGoogleAccessToken,
  getProviderAccessToken,
} from './social/get-provider-access-token.ts'
export { type ProviderSignIn, signInWithProvider } from './social/sign-in-with-provider.ts'
export { reactivateUser } from './suspension/reactivate-user.ts'
export { suspendUser } from './suspension/suspend-user.ts'
