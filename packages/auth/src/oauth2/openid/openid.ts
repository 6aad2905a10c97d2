export { decideSignIn, describeSignIn, passOnSignIn } from './authorize-sign-in.ts'
export { endDeadSessions, openidLogout, openidSessionsEnd } from './back-channel-logout.ts'
export { openidMetadataRouter, openidRouter } from './discovery.ts'
export { redeemSignIn, revokeSignIn } from './redeem-sign-in.ts'
export { openidSessions, openidSignIns } from './schema.ts'
export { exportSessions, forgetSessions, handOnSessions } from './sessions.ts'
export { isSignIn } from './sign-in-request.ts'
export {
  endSignInsOf,
  exportSignIns,
  forgetSignIns,
  forgetSignInsOf,
  handOnSignIns,
} from './store.ts'
