import type { Needs } from '../auth.ts'

/** Where an account's owner looks after its devices, passkeys and second factor. */
export function securityPage({ env, appUrl }: Needs<'env' | 'appUrl'>) {
  return new URL(env.SVC_AUTH_SECURITY_PATH, appUrl).href
}
