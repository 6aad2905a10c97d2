import { normaliseEmail } from '../accounts/identifier.ts'
import type { Needs } from '../auth.ts'
import { requestLink } from '../links/request-link.ts'
import { readReturnPath } from '../links/return-path.ts'

export interface ResetRequest {
  email: string
  returnPath?: string | undefined
}

type RequestNeeds = Needs<'db' | 'clock' | 'env' | 'limits' | 'linkMail'>

/** The same work and the same answer for every address: who may get mail is asked by whoever mails it. */
export async function requestPasswordReset(
  { db, clock, env, limits, linkMail }: RequestNeeds,
  { email, returnPath }: ResetRequest,
  address: string | null,
) {
  const subject = normaliseEmail(email)
  const path = readReturnPath(returnPath)
  await limits.take('reset request by address', address)
  await limits.take('reset request by target', subject)
  const now = clock.now()
  const expiresAt = new Date(now.getTime() + env.SVC_AUTH_PASSWORD_RESET_LINK_TTL_MINUTES * 60_000)
  await db.transaction(async (tx) => {
    const link = { purpose: 'password_reset' as const, subject, returnPath: path, expiresAt, now }
    await linkMail.order(tx, { kind: 'password_reset', id: await requestLink(tx, link) })
  })
  return { success: true as const, expiresAt: expiresAt.toISOString() }
}
