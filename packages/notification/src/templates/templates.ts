import { accountExists } from './account-exists.ts'
import { agentConnected } from './agent-connected.ts'
import { contactAdded } from './contact-added.ts'
import { contactChanged } from './contact-changed.ts'
import { deletionCancelled } from './deletion-cancelled.ts'
import { deletionRequested } from './deletion-requested.ts'
import { factorRemovalAsked } from './factor-removal-asked.ts'
import { invitation } from './invitation.ts'
import { machineKeyAdded } from './machine-key-added.ts'
import { newDevice } from './new-device.ts'
import { passkeyAdded } from './passkey-added.ts'
import { passkeyRemoved } from './passkey-removed.ts'
import { passwordChanged } from './password-changed.ts'
import { passwordReset } from './password-reset.ts'
import { recoveryCodeUsed } from './recovery-code-used.ts'
import { recoveryCodesMade } from './recovery-codes-made.ts'
import { revokeAll } from './revoke-all.ts'
import { secondFactorAdded } from './second-factor-added.ts'
import { secondFactorFailed } from './second-factor-failed.ts'
import { secondFactorRemoved } from './second-factor-removed.ts'
import { signupLink } from './signup-link.ts'
import { socialLinked } from './social-linked.ts'
import { socialUnlinked } from './social-unlinked.ts'
import { supportEnded, supportOpened } from './support.ts'
import type { Template } from './template.ts'
import { verificationCode } from './verification-code.ts'

export type { AccountExistsFacts } from './account-exists.ts'
export type { AgentConnectedFacts } from './agent-connected.ts'
export { brandWriter, type MailBrand } from './brand.ts'
export type { ContactAddedFacts } from './contact-added.ts'
export type { ContactChangedFacts } from './contact-changed.ts'
export type { DeletionCancelledFacts } from './deletion-cancelled.ts'
export type { DeletionRequestedFacts } from './deletion-requested.ts'
export type { FactorRemovalAskedFacts } from './factor-removal-asked.ts'
export { inert, inertFacts } from './inert.ts'
export type { InvitationFacts } from './invitation.ts'
export type { MachineKeyAddedFacts } from './machine-key-added.ts'
export {
  actionButton,
  codeBox,
  type Detail,
  detailList,
  mailContent,
  mailPage,
  paragraph,
} from './mail-page.ts'
export type { NewDeviceFacts } from './new-device.ts'
export type { PasskeyAddedFacts } from './passkey-added.ts'
export type { PasskeyRemovedFacts } from './passkey-removed.ts'
export type { PasswordChangedFacts } from './password-changed.ts'
export type { PasswordResetFacts } from './password-reset.ts'
export { pickByLocale } from './pick-by-locale.ts'
export type { RecoveryCodeUsedFacts } from './recovery-code-used.ts'
export type { RevokeAllFacts } from './revoke-all.ts'
export type { SecondFactorAddedFacts } from './second-factor-added.ts'
export type { SecondFactorRemovedFacts } from './second-factor-removed.ts'
export type { SignupLinkFacts } from './signup-link.ts'
export type { SocialLinkedFacts } from './social-linked.ts'
export type { SocialUnlinkedFacts } from './social-unlinked.ts'
export type { SupportEndedFacts, SupportOpenedFacts } from './support.ts'
export type { Content, Template } from './template.ts'
export { day, moment } from './times.ts'
export type { VerificationCodeFacts } from './verification-code.ts'

/** Every built-in template. An application may replace each of them. */
export const builtInTemplates = {
  'verification-code': verificationCode,
  'signup-link': signupLink,
  'password-reset': passwordReset,
  'account-exists': accountExists,
  invitation,
  'revoke-all': revokeAll,
  'deletion-requested': deletionRequested,
  'deletion-cancelled': deletionCancelled,
  'new-device': newDevice,
  'password-changed': passwordChanged,
  'contact-changed': contactChanged,
  'contact-added': contactAdded,
  'agent-connected': agentConnected,
  'machine-key-added': machineKeyAdded,
  'passkey-added': passkeyAdded,
  'passkey-removed': passkeyRemoved,
  'social-linked': socialLinked,
  'social-unlinked': socialUnlinked,
  'second-factor-added': secondFactorAdded,
  'second-factor-removed': secondFactorRemoved,
  'second-factor-failed': secondFactorFailed,
  'factor-removal-asked': factorRemovalAsked,
  'recovery-code-used': recoveryCodeUsed,
  'recovery-codes-made': recoveryCodesMade,
  'support-opened': supportOpened,
  'support-ended': supportEnded,
}

type BuiltIn = typeof builtInTemplates
/** The name of a message of sign-in, for example `password-reset`. */
export type TemplateName = keyof BuiltIn
export type FactsOf<Name extends TemplateName> = Parameters<BuiltIn[Name]>[0]

/** Templates that replace ours; null if nothing must be sent. */
export type Templates = Partial<{ [Name in TemplateName]: Template<FactsOf<Name>> | null }>

/**
 * The template of a message: the application's own, else ours; null if the application has turned
 * it off.
 */
export function templateOf<Name extends TemplateName>(name: Name, own: Templates) {
  const chosen = Object.hasOwn(own, name) ? own[name] : undefined
  // With a type parameter, TypeScript no longer connects a name with its facts.
  return (chosen === undefined ? builtInTemplates[name] : chosen) as Template<FactsOf<Name>> | null
}
