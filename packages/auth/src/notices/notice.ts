import type { Notification, TemplateName } from '@svc/notification'

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
>

/** What an account's owner is told. There is no secret in any of them, so they may wait in the queue. */
export type Notice = {
  [Name in NoticeTemplate]: { userId: string } & Pick<Notification<Name>, 'template' | 'facts'>
}[NoticeTemplate]

/** Facts that the service itself writes. All others may be text of an attacker. */
const ours = new Set([
  'at',
  'purgeAt',
  'expiresAt',
  'url',
  'provider',
  'platform',
  'fingerprintPrefix',
  'method',
  'remaining',
])

/** The same notice without any text from outside. */
export function withoutDetails(notice: Notice): Notice {
  const facts = Object.entries(notice.facts).map(([name, value]) =>
    ours.has(name) ? [name, value] : [name, ''],
  )
  // It still has the facts of its template: templates leave out empty ones.
  return { ...notice, facts: Object.fromEntries(facts) }
}
