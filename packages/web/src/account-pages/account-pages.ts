export { DeviceList, DevicesView } from './account/device-list.tsx'
export { deviceName, placeWords } from './account/device-words.ts'
export { ProfileDetails, ProfileView } from './account/profile-form.tsx'
export { SecurityView } from './account/security-panels.tsx'
export { UserMenu, type UserMenuProps } from './account/user-menu.tsx'
export { AgentsView } from './agents/agents.tsx'
export { ApprovalsView } from './approvals/approvals.tsx'
export { RenewSessionView } from './binding/renew-session.tsx'
export { ConsentView } from './consent/consent.tsx'
export { ChangeEmailView } from './contact/change-email.tsx'
export { UndoChangeView } from './contact/undo-change.tsx'
export { DeleteAccountView } from './deletion/data-panel.tsx'
export { RestoreAccount } from './deletion/restore-account.tsx'
export { ApproveDeviceView } from './device/approve-device.tsx'
export { LinkDeviceView } from './device/link-device.tsx'
export { failureWords } from './failures/failure-words.ts'
export { AcceptInvitationView } from './invitations/accept-invitation.tsx'
export {
  InvitationAdministration,
  InvitationsView,
} from './invitations/invitation-administration.tsx'
export { PermissionBoxes } from './machines/machine-form.tsx'
export { machineFailure, readRegistration } from './machines/machine-words.ts'
export { MachinesView } from './machines/register-machine.tsx'
export { PasskeysView } from './passkeys/passkeys.tsx'
export { ForgotPasswordView } from './password/forgot-password.tsx'
export { ResetPasswordView } from './password/reset-password.tsx'
export type { AccountPaths } from './provider/account-paths.ts'
export {
  AccountProvider,
  type AccountProviderProps,
  useOwnSay,
  usePaths,
  usePermissionWords,
  useSay,
} from './provider/account-provider.tsx'
export { SecondStepView } from './second-factor/finish-sign-in.tsx'
export { KeepFactorView } from './second-factor/keep-factor.tsx'
export { TwoStepView } from './second-factor/two-step.tsx'
export { SignInView } from './sign-in/sign-in.tsx'
export { SignOutButton } from './sign-in/sign-out-button.tsx'
export { CompleteSignUpView } from './sign-up/complete-sign-up.tsx'
export { RegisterView } from './sign-up/register.tsx'
export { SignUpView } from './sign-up/sign-up.tsx'
export { FinishSocialSignIn, OAuthError } from './social/finish-social-sign-in.tsx'
export { LinkedAccountsView } from './social/linked-accounts.tsx'
export { StepUp } from './step-up/step-up.tsx'
export { SupportCodeView } from './support/support-code.tsx'
export { AccountPage } from './ui/account-page.tsx'
export { ArrivalNotice } from './ui/arrival-notice.tsx'
export { Button, ButtonLink, QuietButton, TextLink } from './ui/button.tsx'
export { ConfirmButton } from './ui/confirm-button.tsx'
export { useCopy } from './ui/copy.ts'
export { Entrance } from './ui/entrance.tsx'
export { Field } from './ui/field.tsx'
export { isUnder } from './ui/is-under.ts'
export { LinkMenu, type LinkMenuProps } from './ui/link-menu.tsx'
export { LinkTabs } from './ui/link-tabs.tsx'
export { MailboxHint } from './ui/mailbox-hint.tsx'
export { Outcome } from './ui/outcome.tsx'
export { PageHeading, Panel, Skeleton } from './ui/page.tsx'
export type { EntranceSlots, PageSlots } from './ui/page-slots.ts'
export { RelativeTime, useNow } from './ui/relative-time.tsx'
export { Select } from './ui/select.tsx'
export { Setting, Settings } from './ui/settings.tsx'
export { withReturnTo } from './ui/sign-in-address.ts'
export { TextArea } from './ui/text-area.tsx'
export { ExactTime } from './ui/time.tsx'
export {
  type AccountSentence,
  type AccountWords,
  accountWords,
  missingWords,
  type PluralForms,
  type WordsFor,
} from './words/account-words.ts'
export type { GivenWords, Languages, LoadWords } from './words/languages.ts'
export { english, type Say } from './words/say.ts'
