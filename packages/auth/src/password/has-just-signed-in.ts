import type { Needs } from '../auth.ts'
import type { Caller } from '../authenticate/caller.ts'

/** Whether the owner of a device has signed in on it a moment ago. */
export function hasJustSignedIn(
  { clock, env }: Needs<'clock' | 'env'>,
  { authenticatedAt }: Pick<Caller, 'authenticatedAt'>,
) {
  if (!authenticatedAt) return false
  const windowMillis = env.SVC_AUTH_PASSKEY_RECENT_AUTH_MINUTES * 60_000
  return clock.now().getTime() - authenticatedAt.getTime() < windowMillis
}
