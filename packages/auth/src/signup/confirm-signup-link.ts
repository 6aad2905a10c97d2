import type { Needs } from '../auth.ts'
import { openSetup } from '../links/open-setup.ts'
import { InvalidSignupLinkError } from './errors.ts'

export async function confirmSignupLink(auth: Needs<'db' | 'clock' | 'env'>, token: string) {
  const ttlMinutes = auth.env.SVC_AUTH_SIGNUP_SETUP_TTL_MINUTES
  const opened = await openSetup(auth, { purpose: 'signup', token, ttlMinutes })
  if (!opened) throw new InvalidSignupLinkError()
  return opened
}
