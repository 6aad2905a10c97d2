import { normaliseEmail } from '../accounts/identifier.ts'
import type { Needs } from '../auth.ts'
import { requestLink } from '../links/request-link.ts'
import { readReturnPath } from '../links/return-path.ts'

export interface LinkRequest {
  email: string
  returnPath?: string | undefined
}

type RequestNeeds = Needs<'db' | 'clock' | 'env' | 'limits' | 'linkMail'>

/**
 * Writes down that a link is wanted, and no more: whether there is an account is first asked by whoever mails it, so
 * neither the answer nor its time can tell.
 */
export async function requestSignupLink(
  { db, clock, env, limits, linkMail }: RequestNeeds,
  { email, returnPath }: LinkRequest,
  { address, locale }: { address: string | null; locale: string },
) {
  const subject = normaliseEmail(email)
  const path = readReturnPath(returnPath)
  await limits.take('signup request by address', address)
  await limits.take('signup request by target', subject)
  const now = clock.now()
  const expiresAt = new Date(now.getTime() + env.SVC_AUTH_SIGNUP_LINK_TTL_MINUTES * 60_000)
  await db.transaction(async (tx) => {
    const link = { purpose: 'signup' as const, subject, returnPath: path, locale, expiresAt, now }
    await linkMail.order(tx, { kind: 'signup', id: await requestLink(tx, link) })
  })
  return { success: true as const, expiresAt: expiresAt.toISOString() }
}
