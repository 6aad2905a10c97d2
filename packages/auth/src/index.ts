export { asciiDomain } from './accounts/client.ts'
export type { AccountLabel } from './accounts/fields.ts'
export type { Approval } from './approvals/contract.ts'
export type { AuditItem } from './audit/contract.ts'
export {
  type AuthApi,
  type AuthApiOptions,
  authApi,
  createAuthApi,
  type ProxiedAuthApi,
  type ProxiedLoginResult,
} from './auth-api.ts'
export type { AuthContract } from './auth-contract.ts'
export { authEvents, ownerEvents } from './auth-events.ts'
export type { JobDetails, JobItem, JobQueueItem, JobState } from './background-jobs/contract.ts'
export { authEffects } from './browser-effects.generated.ts'
export type { Caller, CallerAccount } from './caller/caller.ts'
export { knownBrowserHeader } from './caller/contract.ts'
export type { ProxiedApi, ProxiedCall } from './capability/client.ts'
export { type CapabilityClient, type ContractOf, clientOf } from './capability/client.ts'
export type { Access, LoginResult } from './capability/contract.ts'
export type { KeyListItem, LetIn, LetInKind, NewDeviceKey } from './capability/fields.ts'
export {
  type AuthConfiguration,
  configureAuth,
  configured,
  type RegistrationContext,
  readsConfiguration,
  type SendContext,
} from './configure-auth.ts'
export { KeyAlgorithm } from './crypto/contract.ts'
export type { DeviceKey, KeyRegistration } from './device-key/device-key.ts'
export {
  type CreateDeviceKeyOptions,
  createDeviceKey,
  createPortableKey,
  type DeleteDeviceKeyOptions,
  DeviceKeyError,
  type DeviceKeyName,
  deleteDeviceKey,
  openDeviceKey,
  openPortableKey,
  type PortableKey,
} from './device-key/device-key.ts'
export { authErrors } from './error-classes.ts'
export * from './errors.generated.ts'
export * from './events.generated.ts'
export type { InvitationItem, InvitationStatus } from './invitations/contract.ts'
export type { AuthSession, SessionBinding } from './key-binding/contract.ts'
export type { FactorProof, MfaStatus } from './mfa/contract.ts'
export { type DpopFetchOptions, type DpopRequest, dpopFetch, dpopProof } from './oauth2/client.ts'
export type {
  Grant as OAuth2GrantItem,
  GrantDescription as OAuth2GrantDescription,
  LogoutContract,
} from './oauth2/contract.ts'
export type { OpenStreamItem } from './open-streams/contract.ts'
export type { PasskeyItem } from './passkeys/contract.ts'
export type { UserDetails, UserItem } from './people/contract.ts'
export type { AgentItem, MachineItem } from './programs/contract.ts'
export {
  canonicalJson,
  ProofError,
  type ProofErrorCode,
  type ProofSigningOptions,
  proofSigner,
} from './proof/client.ts'
export { SOCIAL_PROVIDERS, type SocialProvider } from './providers/fields.ts'
export type { RecentProof } from './recent-proof/contract.ts'
export type { RoleItem } from './roles/contract.ts'
export {
  /** The method and path of each operation of sign-in, for `createRpcProxy` and for clients. */
  routeMap as authRouteMap,
} from './route-map.generated.ts'

export { withWork } from './sends/client.ts'
export type {
  Feature,
  FeatureName,
  LimitHitItem,
  ProviderState,
  ServerState,
} from './server-state/contract.ts'
export type { SocialAccountItem } from './social/contract.ts'

export type { AuthenticationResponse, RegistrationResponse } from './webauthn/fields.ts'
