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
export { authEvents } from './auth-events.ts'
export type { Caller, CallerAccount } from './caller/caller.ts'
export { knownBrowserHeader } from './caller/known-browser-header.ts'
export type { Access } from './capability/access.ts'
export { type CapabilityClient, type ContractOf, clientOf } from './capability/client.ts'
export type { KeyListItem, LetIn, NewDeviceKey } from './capability/key-fields.ts'
export type { LoginResult } from './capability/login-result.ts'
export type { ProxiedApi, ProxiedCall } from './capability/proxied-api.ts'
export {
  type AuthConfiguration,
  configureAuth,
  configured,
  type RegistrationContext,
  readsConfiguration,
  type SendContext,
} from './configure-auth.ts'
export { KeyAlgorithm } from './crypto/key-algorithm.ts'
export {
  type CreateDeviceKeyOptions,
  createDeviceKey,
  type DeleteDeviceKeyOptions,
  type DeviceKeyName,
  deleteDeviceKey,
  openDeviceKey,
} from './device-key/browser-device-key.ts'
export type { DeviceKey, KeyRegistration } from './device-key/device-key.ts'
export { DeviceKeyError } from './device-key/device-key-error.ts'
export {
  createPortableKey,
  openPortableKey,
  type PortableKey,
} from './device-key/portable-key.ts'
export { type DpopFetchOptions, dpopFetch } from './dpop/dpop-fetch.ts'
export { type DpopRequest, dpopProof } from './dpop/sign-dpop.ts'
export { authErrors } from './error-classes.ts'
export * from './errors.ts'
export * from './events.ts'
export type { InvitationItem, InvitationStatus } from './invitations/contract.ts'
export type { FactorProof, MfaStatus } from './mfa/contract.ts'
export type { Grant as OAuth2GrantItem } from './oauth2/contract.ts'
export { SOCIAL_PROVIDERS, type SocialProvider } from './openid/social-providers.ts'
export type { PasskeyItem } from './passkeys/contract.ts'
export { canonicalJson } from './proof/canonical-json.ts'
export { ProofError, type ProofErrorCode } from './proof/errors.ts'
export { type ProofSigningOptions, proofSigner } from './proof/sign-proof.ts'
export type { RecentProof } from './recent-proof/contract.ts'
export type { RoleItem } from './roles/contract.ts'
export { routeMap as authRouteMap } from './route-map.generated.ts'
export { withWork } from './sends/with-work.ts'
export type { AuthSession, SessionBinding } from './session/contract.ts'
export type { SocialAccountItem } from './social/linking/operations.ts'
export type { AuthenticationResponse, RegistrationResponse } from './webauthn/response-schemas.ts'
