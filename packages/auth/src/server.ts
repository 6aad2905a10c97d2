export {
  findAccountByEmail,
  findGeneration,
  findLocale,
  findLocaleAt,
  type LockedAccount,
  lockAccount,
  normaliseEmail,
  readNames,
  type ServiceAccount,
} from './accounts/accounts.ts'
export * from './app-acts.ts'
export { allow, type DeclaredRoute, requireOwner } from './application/application.ts'
export { type ApprovedCall, requireApproval, whenDecided } from './approvals/approvals.ts'
export {
  type AppEntry,
  listOrganizationActs,
  type MakersQuery,
  type OrganizationAct,
  type OrganizationActsQuery,
  readAuditTrail,
  readMakers,
  recordAct,
} from './audit/audit.ts'
export {
  authenticate,
  issueLegacyToken,
  optionalAuth,
  toOwners,
} from './authenticate/authenticate.ts'
export {
  type AuditEntry,
  type CallerFacts,
  challengeScopes,
  type FreshCaller,
  forbidSupport,
  getAuth,
  getKeyId,
  getLocale,
  getOptionalAuth,
  getRole,
  getRoles,
  getUser,
  getUserId,
  type RequestOrigin,
  requirePerson,
  type SignInFacts,
  type Standing,
  type StandingReader,
} from './caller/caller.ts'
export type {
  AccountParts,
  AccountWideRevocation,
  CheckedKey,
  Connection,
  Consenting,
  Ended,
  EveryoneEnd,
  ExportedAccount,
  Grantee,
  GranteeParts,
  KeyLife,
  LinkFacts,
  LinkPlan,
  Links,
  Made,
  MadeEnd,
  MadeParts,
  Owner,
  Registered,
  Registration,
  SecondFactor,
  Service,
  SignIn,
  SpentLink,
  Succession,
  Ways,
} from './capability/capability.ts'
export {
  type Capability,
  type CapabilityImport,
  type CapabilityImporter,
  type CapabilityParts,
  defineCapability,
  type ExportedFields,
  type ExportReaders,
  type Handlers,
  type Held,
  type HeldBy,
  type Opening,
  type PermissionDeclaration,
} from './capability/capability.ts'
export { UnreadableSecretError } from './crypto/crypto.ts'
export { exportUserData, type UserData } from './data-export/data-export.ts'
export { displayText } from './display-text.ts'
export { lockFresh, requireStepUp } from './fresh-proof/fresh-proof.ts'
export * from './index.ts'
export { inviteUser } from './invitations/invitations.ts'
export { keyringUse, type RingKeyUse } from './keyring/keyring.ts'
export { checkNewKey, lockCaller } from './keys/keys.ts'
export { type AuthOptions, createAuthLifecycle } from './lifecycle.ts'
export { type Limit, perDay, perHour, perMinute } from './limits/contract.ts'
export {
  createServiceAccount,
  endServiceAccount,
  listServiceKeys,
  lockServiceAccount,
  type NewServiceKey,
  registerServiceKey,
  renameServiceAccount,
  revokeServiceKey,
} from './machine-keys/machine-keys.ts'
export { removeSecondFactor } from './mfa/mfa.ts'
export { mailUser } from './notices/notices.ts'
export {
  type AccessToken,
  type AuthorizationServerOptions,
  accessTokenAuth,
  getAccessToken,
  isSealedForAgent,
  type JwtAccessTokens,
  type OpenIdClient,
  type OpenIdOptions,
  readAccessTokenAgain,
  sealForAgent,
  verifyAccessToken,
} from './oauth2/oauth2.ts'
export { oneTimeTokenAuth, oneTimeTokens } from './one-time-token/one-time-token.ts'
export {
  closeUser,
  createUser,
  findUser,
  type InvitedRow,
  inviteUsers,
  listUsers,
  type NewUser,
  type RowToInvite,
  removeUserFactor,
  requireNewPassword,
  resendUserMail,
  restoreUser,
  signUserOut,
  type UserChanges,
  type UserDetails,
  type UserItem,
  type UserMail,
  type UserPage,
  type UserQuery,
  updateUser,
} from './people/people.ts'
export * from './permission-name.ts'
export { readServiceUses, type ServiceAgent, type ServiceUse } from './programs/programs.ts'
export {
  type AuthorizationRequest,
  type CodeExchange,
  configureOAuthTokenCipher,
  createOidcProvider,
  type NativeSignIn,
  type OAuthProvider,
  type OAuthTokenCipher,
  type OidcProviderOptions,
  type ProviderIdentity,
  ProviderRefusalError,
  type ProviderTokens,
  registerOAuthProvider,
  type TokenContext,
  type UnlinkNotification,
  type UnlinkRequest,
} from './providers/providers.ts'
export {
  createRevokeAllLink,
  mailRevokeAllLink,
  type RevokeAllLinkOptions,
} from './revoke-all/revoke-all.ts'
export {
  addPermissionToRole,
  createRole,
  deleteRole,
  getAllRoles,
  getKeyKind,
  getKeyPermissions,
  getRoleByName,
  getRolePermissions,
  getUserPermissions,
  getUserRole,
  getUserRoles,
  hasAllPermissions,
  hasAnyPermission,
  hasAnyRole,
  hasPermission,
  hasRole,
  type NewRole,
  type RoleChanges,
  type RoleDeclaration,
  type RoleDeclarations,
  refuseLost,
  removePermissionFromRole,
  requireAnyPermission,
  requirePermissions,
  requireRole,
  roleGuard,
  setRolePermissions,
  updateRole,
} from './roles/roles.ts'
export { authRouter, createAuthRouter } from './router.ts'
export { answerSignIn } from './sign-in/sign-in.ts'
export { signOutEveryone } from './sign-out/sign-out.ts'
export {
  getGoogleAccessToken,
  getOAuthProvider,
  getProviderAccessToken,
  getRegisteredProviders,
  type ProviderSignIn,
  signInWithProvider,
} from './social/social.ts'
export {
  findReaders,
  getCallerFacts,
  type Reader,
  standingIn,
  type TenantPart,
} from './standing/standing.ts'
export { reactivateUser, suspendUser } from './suspension/suspension.ts'
export type { TenantParams } from './tenant-params.ts'
