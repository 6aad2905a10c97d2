import { findReader } from '../accounts/find-reader.ts'
import type { Needs } from '../auth.ts'
import { dropLink, findWanted, issueLink } from '../links/issue-link.ts'
import { mintLink } from '../links/mint-link.ts'

type MailNeeds = Needs<'db' | 'clock' | 'env' | 'notifier' | 'appUrl'>

/** Mails a sign-out-everywhere link to the account's proven address. */
export async function sendRevokeAllLink(auth: MailNeeds, linkId: string) {
  const { db, clock, env, notifier } = auth
  const now = clock.now()
  const link = await findWanted(db, linkId, now)
  if (!link) return
  const reader = await findReader(db, link.subject)
  if (!reader) return dropLink(db, linkId, now)
  const { email: to, locale } = reader
  const { url, tokenHash } = mintLink(auth, env.SVC_AUTH_REVOKE_ALL_CONFIRM_PATH)
  if (!(await issueLink(db, linkId, { tokenHash, now }))) return
  const expiresInMinutes = Math.ceil((link.expiresAt.getTime() - now.getTime()) / 60_000)
  const facts = { url, expiresInMinutes }
  await notifier.send({ channel: 'mail', to, locale, template: 'revoke-all', facts })
}
