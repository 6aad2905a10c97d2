import { normaliseEmail } from '../accounts/identifier.ts'
import type { Needs } from '../auth.ts'
import type { LinkRequest } from '../links/contract.ts'
import { orderLink } from '../links/order-link.ts'
import { readReturnPath } from '../links/return-path.ts'

/** The same work and the same answer for every address. */
export async function requestSignupLink(
  auth: Needs<'db' | 'clock' | 'env' | 'limits' | 'linkMail'>,
  body: LinkRequest,
  { address, locale }: { address: string | null; locale: string },
) {
  const { env, limits } = auth
  const subject = normaliseEmail(body.email)
  const returnPath = readReturnPath(body.returnPath)
  await limits.take('signup request by address', address)
  await limits.take('signup request by target', subject)
  const ttlMinutes = env.SVC_AUTH_SIGNUP_LINK_TTL_MINUTES
  return orderLink(auth, { purpose: 'signup', subject, returnPath, locale, ttlMinutes })
}
