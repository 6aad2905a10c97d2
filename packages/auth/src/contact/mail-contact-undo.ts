import { redactedRecipient } from '@svc/notification'
import { findLocale } from '../accounts/find-reader.ts'
import type { Needs } from '../auth.ts'
import { mintLink } from '../links/mint-link.ts'
import { findLive, issueUndo, undoHours } from './store.ts'

type MailNeeds = Needs<'db' | 'clock' | 'env' | 'notifier' | 'appUrl'>

/** Sends the old address or number the link that takes the change back. */
export async function mailContactUndo(auth: MailNeeds, changeId: string) {
  const { db, clock, env, notifier } = auth
  const now = clock.now()
  const change = await findLive(db, changeId, now)
  if (!change) return
  const { userId, kind, oldValue: to, newValue } = change
  const { url, tokenHash: undoHash } = mintLink(auth, env.SVC_AUTH_CONTACT_UNDO_CONFIRM_PATH)
  if (!(await issueUndo(db, changeId, { undoHash, now }))) return
  const channel = kind === 'email' ? ('mail' as const) : ('sms' as const)
  const facts = {
    kind,
    changedTo: redactedRecipient(channel, newValue),
    url,
    expiresInHours: undoHours,
  }
  const locale = await findLocale(db, userId)
  await notifier.send({ channel, to, locale, template: 'contact-changed', facts })
}
