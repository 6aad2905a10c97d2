import { type Db, defineJob, type Tx, t } from '@svc/core'
import type { Mail, Notification, TemplateName } from '@svc/notification'
import { findReader } from '../accounts/accounts.ts'
import { authOn, type Needs } from '../auth.ts'

export type NoticeTemplate = Extract<
  TemplateName,
  | 'deletion-requested'
  | 'deletion-cancelled'
  | 'new-device'
  | 'password-changed'
  | 'contact-added'
  | 'agent-connected'
  | 'machine-key-added'
  | 'passkey-added'
  | 'passkey-removed'
  | 'social-linked'
  | 'social-unlinked'
  | 'second-factor-added'
  | 'second-factor-removed'
  | 'second-factor-failed'
  | 'recovery-code-used'
  | 'recovery-codes-made'
  | 'support-opened'
  | 'support-ended'
>

/** What an account's owner is told. None contains a secret, so they may wait in the queue. */
export type Notice = {
  [Name in NoticeTemplate]: { userId: string } & Pick<Notification<Name>, 'template' | 'facts'>
}[NoticeTemplate]

/** Facts that the service itself writes. All others may contain an attacker's text. */
const ours = new Set([
  'at',
  'purgeAt',
  'expiresAt',
  'url',
  'provider',
  'platform',
  'fingerprintPrefix',
  'kind',
  'method',
  'remaining',
])

/** The same notice without any text from outside. */
function withoutDetails(notice: Notice): Notice {
  const facts = Object.entries(notice.facts).map(([name, value]) =>
    ours.has(name) ? [name, value] : [name, ''],
  )
  // It keeps all facts of its template, because templates leave out empty ones.
  return { ...notice, facts: Object.fromEntries(facts) }
}

const Queued = t.Object({
  userId: t.String(),
  template: t.String(),
  facts: t.Unknown(),
})

/** Mails a notice, to the address and in the language that the account has when the job runs. */
export const noticeJob = defineJob('auth.notice')
  .input(Queued)
  .handler(async ({ userId, ...queued }, { db }) => {
    const reader = await findReader(db, userId)
    if (!reader) return
    // Only `sendNotice` enqueues, and it takes only a `Notice`.
    const { template, facts } = queued as Pick<Notification<NoticeTemplate>, 'template' | 'facts'>
    const { email: to, locale } = reader
    await authOn(db).notifier.send({ channel: 'mail', to, locale, template, facts })
  })

/** Tells an account's owner, once the open transaction has committed. */
export async function sendNotice(
  tx: Tx,
  { notifier, log }: Needs<'notifier' | 'log'>,
  notice: Notice,
) {
  const { template } = notice
  if (!notifier.sends(template)) return
  // In a savepoint of its own, so that a sign-in does not fail if the queue is down.
  const enqueue = (each: Notice) => tx.transaction(() => noticeJob.enqueue(each))
  try {
    await enqueue(notice).catch((error: unknown) => {
      // An attacker must not be able to suppress the notice with the name of a device.
      log.error({ err: error, template }, 'a notice is sent without its details')
      return enqueue(withoutDetails(notice))
    })
  } catch (error) {
    log.error({ err: error, template }, 'a notice could not be queued')
  }
}

/** The page on which an account's owner manages its devices, passkeys and second factor. */
export function securityPage({ env, appUrl }: Needs<'env' | 'appUrl'>) {
  return new URL(env.SVC_AUTH_SECURITY_PATH, appUrl).href
}

interface ToUser<Given> {
  userId: string
  data: Given
}

/**
 * Sends a user a mail of the application, in the user's language. Without a proved address it sends
 * nothing, and returns false.
 */
export async function mailUser<Given>(
  db: Db,
  mail: Pick<Mail<unknown, Given>, 'send'>,
  { userId, data }: ToUser<NoInfer<Given>>,
): Promise<boolean> {
  const reader = await findReader(db, userId)
  if (!reader) return false
  const { email: to, locale } = reader
  await mail.send({ to, locale, data })
  return true
}
