import { findReaders, type Reader } from '@svc/auth/server'
import { type Log, TooManyRequestsError, type Tx } from '@svc/core'
import { type Mail, NotificationError } from '@svc/notification'
import {
  findOrganization,
  nameOf,
  type OrganizationHeld,
  type store,
} from '../membership/membership.ts'
import { memberRemovedMail, ownerLostMail } from './member-mails.ts'

export type NoticeNeeds = Pick<OrganizationHeld, 'appUrl' | 'clock' | 'log' | 'organizationsPage'>

/** In a savepoint of its own: a queue that is down must not undo what the notice tells of. */
export async function orLog(
  tx: Tx,
  { log }: Pick<NoticeNeeds, 'log'>,
  run: () => Promise<unknown>,
) {
  try {
    await tx.transaction(run)
  } catch (error) {
    log.error({ err: error }, 'a notice of an organization could not be queued')
  }
}

/** Doing a thing and undoing it again must not fill the mailboxes of an organization. */
export async function mayMail(
  { limits, log }: Pick<OrganizationHeld, 'limits' | 'log'>,
  limit: 'owner mails by organization' | 'policy mails by organization',
  organizationId: string,
) {
  try {
    await limits.take(limit, organizationId)
    return true
  } catch (error) {
    if (!(error instanceof TooManyRequestsError)) throw error
    log.warn({ organizationId, limit }, 'mails of an organization are not sent: too many today')
    return false
  }
}

/** To one reader, in the reader's language. An address to which nothing can be sent keeps no other from it. */
export async function sendTo<Given>(
  { email: to, locale }: Reader,
  mail: Pick<Mail<unknown, Given>, 'send'>,
  { data, log }: { data: NoInfer<Given>; log: Log },
) {
  try {
    await mail.send({ to, locale, data })
  } catch (error) {
    if (!(error instanceof NotificationError)) throw error
    log.warn({ err: error }, 'a notice of an organization has no address')
  }
}

/** Not for a member who leaves. */
export async function tellRemoved(tx: Tx, auth: NoticeNeeds, member: store.Membership) {
  const { log, clock } = auth
  await orLog(tx, auth, async () => {
    const organization = (await findOrganization(tx, member.organizationId))?.name ?? ''
    const data = { organization }
    for (const reader of await findReaders(tx, { userIds: [member.userId], now: clock.now() })) {
      await sendTo(reader, memberRemovedMail, { data, log })
    }
  })
}

/** For an owner whose role another one has taken. A job would find the owners that are left. */
export async function tellOfLoss(tx: Tx, auth: NoticeNeeds, lost: store.Membership & By) {
  const { log, clock } = auth
  await orLog(tx, auth, async () => {
    const data = {
      organization: (await findOrganization(tx, lost.organizationId))?.name ?? '',
      by: await nameOf(tx, lost.by),
      at: clock.now().toISOString(),
    }
    for (const reader of await findReaders(tx, { userIds: [lost.userId], now: clock.now() })) {
      await sendTo(reader, ownerLostMail, { data, log })
    }
  })
}

interface By {
  readonly by: string
}

/** A page of the web app about an organization, or the list of them. */
export const pageOf = (
  { appUrl, organizationsPage }: Pick<NoticeNeeds, 'appUrl' | 'organizationsPage'>,
  ...parts: readonly string[]
) => new URL([organizationsPage, ...parts].join('/'), appUrl).href
