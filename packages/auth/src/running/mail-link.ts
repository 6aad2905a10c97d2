import { findAtProvenAddress } from '../accounts/accounts.ts'
import type { Auth } from '../auth.ts'
import type { LinkFacts, LinkPlan } from '../capability/capability.ts'
import { dropLink, findWanted, issueLink, mintLink } from '../links/links.ts'
import { minutesOf } from './links.ts'

interface Given {
  readonly plan: LinkPlan<never>
  readonly env: object
  readonly linkId: string
}

type MailNeeds = Pick<Auth, 'db' | 'clock' | 'appUrl'>

/** Makes the link that a row wants, and mails it to the recipient of the plan. */
export async function mailLink(auth: MailNeeds, { plan, env, linkId }: Given) {
  const { db, clock } = auth
  const now = clock.now()
  const link = await findWanted(db, linkId, now)
  if (!link) return
  const reader = await readerOf(auth, plan, link)
  if (!reader) return dropLink(db, linkId, now)
  const { locale, ...owner } = reader
  const { url, tokenHash } = mintLink(auth, pageOf(plan, env))
  if (!(await issueLink(db, linkId, { tokenHash, ...owner, now }))) return
  const data: LinkFacts = { url, expiresInMinutes: minutesOf(plan, env) }
  await plan.mail.sendNow({ to: link.subject, locale, data })
}

const pageOf = ({ page }: LinkPlan<never>, env: object) =>
  typeof page === 'function' ? page(env as never) : page

interface Wanted {
  subject: string
  locale: string | null
}

/** Null if no account may get it. */
async function readerOf({ db }: MailNeeds, { to }: LinkPlan<never>, { subject, locale }: Wanted) {
  if (to === 'any address') return { locale: locale ?? undefined }
  return findAtProvenAddress(db, subject)
}
