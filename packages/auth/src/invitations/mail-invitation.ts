import type { Db } from '@svc/core'
import { readProfile } from '../accounts/profile.ts'
import type { Needs } from '../auth.ts'
import { mintLink } from '../links/mint-link.ts'
import { findRole } from '../roles/hold-role.ts'
import * as store from './store.ts'

type MailNeeds = Needs<'db' | 'clock' | 'env' | 'notifier' | 'appUrl'>

const dayMillis = 86_400_000

/** Mints an invitation's token and mails its link. A second try mints another, for the first may never have arrived. */
export async function mailInvitation(auth: MailNeeds, invitationId: string) {
  const { db, clock, env, notifier } = auth
  const now = clock.now()
  const wanted = await store.findPending(db, invitationId, now)
  if (!wanted) return
  const { email, locale, expiresAt } = wanted
  const role = await findRole(db, wanted.role)
  const { url, tokenHash } = mintLink(auth, env.SVC_AUTH_INVITATION_CONFIRM_PATH)
  if (!(await store.issue(db, invitationId, { tokenHash, now }))) return
  await notifier.send({
    channel: 'mail',
    to: email,
    locale: locale ?? undefined,
    template: 'invitation',
    facts: {
      url,
      role: role?.displayName ?? wanted.role,
      invitedBy: await nameOf(db, wanted.invitedBy),
      expiresInDays: Math.ceil((expiresAt.getTime() - now.getTime()) / dayMillis),
    },
  })
}

async function nameOf(db: Db, userId: string | null) {
  const found = userId === null ? null : await readProfile(db, userId)
  return found?.profile.displayName ?? found?.account.email ?? undefined
}
