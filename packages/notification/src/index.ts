export { type Html, html } from '@svc/core/html'
export { createNotifier, type Notification, type Notifier } from './create-notifier.ts'
export { type Message, redactedRecipient } from './delivery/delivery.ts'
export { NotificationError } from './delivery/errors.ts'
export { type NotificationEnv, readNotificationEnv } from './env.ts'
export { mailboxRouter } from './mailbox/mailbox.ts'
export {
  type AnyMail,
  createMailLifecycle,
  defineMail,
  Mail,
  MailDataError,
  type Sending,
  type Words,
  type Written,
} from './mails/mails.ts'
export {
  type AccountExistsFacts,
  type AgentConnectedFacts,
  actionButton,
  type ContactAddedFacts,
  type ContactChangedFacts,
  type Content,
  codeBox,
  type DeletionCancelledFacts,
  type DeletionRequestedFacts,
  type Detail,
  detailList,
  type FactorRemovalAskedFacts,
  type InvitationFacts,
  type MachineKeyAddedFacts,
  mailContent,
  mailPage,
  type NewDeviceFacts,
  type PasskeyAddedFacts,
  type PasskeyRemovedFacts,
  type PasswordChangedFacts,
  type PasswordResetFacts,
  paragraph,
  pickByLocale,
  type RecoveryCodeUsedFacts,
  type RevokeAllFacts,
  type SecondFactorAddedFacts,
  type SecondFactorRemovedFacts,
  type SignupLinkFacts,
  type SocialLinkedFacts,
  type SocialUnlinkedFacts,
  type SupportEndedFacts,
  type SupportOpenedFacts,
  type Template,
  type TemplateName,
  type Templates,
  type VerificationCodeFacts,
} from './templates/templates.ts'
