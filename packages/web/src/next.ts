export type { ConsentStage } from './consent/consent-stage.ts'
export {
  createOAuth2ConsentPage,
  type OAuth2ConsentPageOptions,
} from './consent/create-consent-page.ts'
export { publicVariables } from './env.ts'
export { isBackFromProvider } from './guards/back-from-provider.ts'
export { createServerApi, type ServerApiOptions } from './guards/create-server-api.ts'
export {
  type GuardProps,
  getSession,
  hasSessionEnded,
  isSessionToRenew,
  type PermitProps,
  RequireAuth,
  RequirePermission,
  RequireRole,
  requireSession,
} from './guards/guards.ts'
export { getOpenedLink, type OpenedLink } from './guards/opened-link.ts'
export { refusePage } from './guards/page-refusal.ts'
export { authRewrites } from './guards/rewrites.ts'
export { getWaitingSignIn, type WaitingSignIn } from './guards/waiting-sign-in.ts'
export { returnPath } from './page/return-path.ts'
export {
  createRevokeAllPage,
  type RevokeAllPageOptions,
} from './revoke-all/create-revoke-all-page.ts'
export type { RevokeAllStage } from './revoke-all/draw-stage.ts'
