export { type Html, html } from '@svc/core/html'
export { createNotifier, type Notification, type Notifier } from './create-notifier.ts'
export { NotificationError } from './delivery/errors.ts'
export type { Message } from './delivery/message.ts'
export { redactedRecipient } from './delivery/recipient.ts'
export { type NotificationEnv, readNotificationEnv } from './env.ts'
export { mailboxRouter } from './mailbox/mailbox.ts'
export { type AnyMail, defineMail, Mail, MailDataError, type Sending } from './mails/mail.ts'
export { createMailLifecycle } from './mails/mails.ts'
export type { Words, Written } from './mails/words.ts'
export type { AccountExistsFacts } from './templates/account-exists.ts'
export type { AgentConnectedFacts } from './templates/agent-connected.ts'
export type { ContactAddedFacts } from './templates/contact-added.ts'
export type { ContactChangedFacts } from './templates/contact-changed.ts'
export type { DeletionCancelledFacts } from './templates/deletion-cancelled.ts'
export type { DeletionRequestedFacts } from './templates/deletion-requested.ts'
export type { InvitationFacts } from './templates/invitation.ts'
export type { MachineKeyAddedFacts } from './templates/machine-key-added.ts'
export {
  actionButton,
  codeBox,
  type Detail,
  detailList,
  mailContent,
  mailPage,
  paragraph,
} from './templates/mail-page.ts'
export type { NewDeviceFacts } from './templates/new-device.ts'
export type { PasskeyAddedFacts } from './templates/passkey-added.ts'
export type { PasskeyRemovedFacts } from './templates/passkey-removed.ts'
export type { PasswordChangedFacts } from './templates/password-changed.ts'
export type { PasswordResetFacts } from './templates/password-reset.ts'
export { pickByLocale } from './templates/pick-by-locale.ts'
export type { RecoveryCodeUsedFacts } from './templates/recovery-code-used.ts'
export type { RevokeAllFacts } from './templates/revoke-all.ts'
export type { SecondFactorAddedFacts } from './templates/second-factor-added.ts'
export type { SecondFactorRemovedFacts } from './templates/second-factor-removed.ts'
export type { SignupLinkFacts } from './templates/signup-link.ts'
export type { SocialLinkedFacts } from './templates/social-linked.ts'
export type { SocialUnlinkedFacts } from './templates/social-unlinked.ts'
export type { Content, Template } from './templates/template.ts'
export type { TemplateName, Templates } from './templates/templates.ts'
export type { VerificationCodeFacts } from './templates/verification-code.ts'
