import type { Needs } from '../auth.ts'
import { openSetup } from '../links/open-setup.ts'
import { PasswordResetLinkError } from './errors.ts'

export async function confirmPasswordReset(auth: Needs<'db' | 'clock' | 'env'>, token: string) {
  const ttlMinutes = auth.env.SVC_AUTH_PASSWORD_RESET_SETUP_TTL_MINUTES
  const opened = await openSetup(auth, { purpose: 'password_reset', token, ttlMinutes })
  if (!opened) throw new PasswordResetLinkError()
  return opened
}
