export { authenticate } from './authenticate/authenticate.ts'
export {
  getAuth,
  getKeyId,
  getLocale,
  getOptionalAuth,
  getRole,
  getUser,
  getUserId,
} from './authenticate/context.ts'
export { issueLegacyToken } from './authenticate/legacy-jwt.ts'
export { optionalAuth } from './authenticate/optional-auth.ts'
export {
  type AuthConfiguration,
  configureAuth,
  type RegistrationContext,
} from './configure-auth.ts'
export * from './index.ts'
export { type AuthOptions, createAuthLifecycle } from './lifecycle.ts'
export { oneTimeTokenAuth } from './one-time-token/one-time-token-auth.ts'
export { requireAnyPermission, requirePermissions } from './roles/require-permissions.ts'
export { requireRole, roleGuard } from './roles/require-role.ts'
export { authRouter } from './router.ts'
export { reactivateUser } from './suspension/reactivate-user.ts'
export { suspendUser } from './suspension/suspend-user.ts'
