import { findLocaleAt } from '../accounts/find-reader.ts'
import type { Needs } from '../auth.ts'
import { dropLink, findWanted, issueLink } from '../links/issue-link.ts'
import { mintLink } from '../links/mint-link.ts'

type MailNeeds = Needs<'db' | 'clock' | 'env' | 'notifier' | 'appUrl'>

/** Mails the link, or where the address has an account, that it has one: to its owner, in the owner's language. */
export async function mailSignupLink(auth: MailNeeds, linkId: string) {
  const { db, clock, env, notifier, appUrl } = auth
  const now = clock.now()
  const link = await findWanted(db, linkId, now)
  if (!link) return
  const to = { channel: 'mail' as const, to: link.subject, locale: link.locale ?? undefined }
  const locale = await findLocaleAt(db, { type: 'email', value: link.subject })
  if (locale !== undefined) {
    const { href: signIn } = new URL(env.SVC_AUTH_SIGN_IN_PATH, appUrl)
    await notifier.send({ ...to, locale, template: 'account-exists', facts: { url: signIn } })
    return dropLink(db, linkId, now)
  }
  const { url, tokenHash } = mintLink(auth, env.SVC_AUTH_SIGNUP_CONFIRM_PATH)
  if (!(await issueLink(db, linkId, { tokenHash, now }))) return
  const expiresInMinutes = env.SVC_AUTH_SIGNUP_LINK_TTL_MINUTES
  await notifier.send({ ...to, template: 'signup-link', facts: { url, expiresInMinutes } })
}
