export {
  createOAuth2ConsentPage,
  type OAuth2ConsentPageOptions,
} from './consent/consent.ts'
export { type ConsentStage } from './consent/consent-stage.ts'
export { publicVariables } from './env.ts'
export {
  type GuardProps,
  getOpenedLink,
  getSession,
  getWaitingSignIn,
  hasSessionEnded,
  isBackFromProvider,
  isSessionToRenew,
  type OpenedLink,
  type PermitProps,
  RequireAuth,
  RequirePermission,
  RequireRole,
  requireSession,
  type WaitingSignIn,
} from './guards/guards.ts'
export { authRewrites } from './guards/rewrites.ts'
export { createServerApi, refusePage, type ServerApiOptions } from './guards/server-api.ts'
export { returnPath } from './page/client.ts'
export { type RevokeAllStage } from './revoke-all/draw-stage.ts'
export {
  createRevokeAllPage,
  type RevokeAllPageOptions,
} from './revoke-all/revoke-all.ts'
