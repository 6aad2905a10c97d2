import { normaliseEmail } from '../accounts/identifier.ts'
import type { Needs } from '../auth.ts'
import type { RequestOrigin } from '../caller/request-origin.ts'
import type { LinkRequest } from '../links/contract.ts'
import { orderLink } from '../links/order-link.ts'
import { readReturnPath } from '../links/return-path.ts'
import { admitSend } from '../sends/admit-send.ts'

/** The same work and the same answer for every address. */
export async function requestSignupLink(
  auth: Needs<'db' | 'clock' | 'env' | 'limits' | 'linkMail' | 'notifier'>,
  body: LinkRequest,
  { origin, locale }: { origin: RequestOrigin; locale: string },
) {
  const { env } = auth
  const subject = normaliseEmail(body.email)
  const returnPath = readReturnPath(body.returnPath)
  const identifier = { type: 'email' as const, value: subject }
  await admitSend(auth, { identifier, purpose: 'signup_link', proofs: body, origin })
  const ttlMinutes = env.SVC_AUTH_SIGNUP_LINK_TTL_MINUTES
  return orderLink(auth, { purpose: 'signup', subject, returnPath, locale, ttlMinutes })
}
