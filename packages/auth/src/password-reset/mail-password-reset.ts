import { findResettable } from '../accounts/find-resettable.ts'
import type { Needs } from '../auth.ts'
import { dropLink, findWanted, issueLink } from '../links/issue-link.ts'
import { mintLink } from '../links/mint-link.ts'

type MailNeeds = Needs<'db' | 'clock' | 'env' | 'notifier' | 'appUrl'>

/** Mails the link to an eligible account, and nothing to anybody else. */
export async function mailPasswordReset(auth: MailNeeds, linkId: string) {
  const { db, clock, env, notifier } = auth
  const now = clock.now()
  const link = await findWanted(db, linkId, now)
  if (!link) return
  const account = await findResettable(db, link.subject)
  if (!account) return dropLink(db, linkId, now)
  const { userId, generation, locale } = account
  const { url, tokenHash } = mintLink(auth, env.SVC_AUTH_PASSWORD_RESET_CONFIRM_PATH)
  if (!(await issueLink(db, linkId, { tokenHash, userId, generation, now }))) return
  const expiresInMinutes = env.SVC_AUTH_PASSWORD_RESET_LINK_TTL_MINUTES
  const to = { channel: 'mail' as const, to: link.subject, locale }
  await notifier.send({ ...to, template: 'password-reset', facts: { url, expiresInMinutes } })
}
