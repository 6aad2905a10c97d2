export {
  type ConsentStage,
  createOAuth2ConsentPage,
  type OAuth2ConsentPageOptions,
} from './consent/consent.ts'
export { publicVariables } from './env.ts'
export {
  authRewrites,
  createServerApi,
  type GuardProps,
  getOpenedLink,
  getSession,
  getWaitingSignIn,
  hasSessionEnded,
  isBackFromProvider,
  isSessionToRenew,
  type OpenedLink,
  type PermitProps,
  partFailure,
  RequireAuth,
  RequirePermission,
  RequireRole,
  refusePage,
  requireSession,
  type ServerApiOptions,
  type WaitingSignIn,
} from './guards/guards.ts'
export { returnPath } from './page/client.ts'
export {
  createRevokeAllPage,
  type RevokeAllPageOptions,
  type RevokeAllStage,
} from './revoke-all/revoke-all.ts'
