'use client'

export { DeviceList, DevicesView } from './account-pages/account/device-list.tsx'
export { ProfileDetails, ProfileView } from './account-pages/account/profile-form.tsx'
export { SecurityView } from './account-pages/account/security-panels.tsx'
export { AgentsView } from './account-pages/agents/agents.tsx'
export { RenewSessionView } from './account-pages/binding/renew-session.tsx'
export { ConsentView } from './account-pages/consent/consent.tsx'
export { ChangeEmailView } from './account-pages/contact/change-email.tsx'
export { UndoChangeView } from './account-pages/contact/undo-change.tsx'
export { DeleteAccountView } from './account-pages/deletion/data-panel.tsx'
export { RestoreAccount } from './account-pages/deletion/restore-account.tsx'
export { ApproveDeviceView } from './account-pages/device/approve-device.tsx'
export { LinkDeviceView } from './account-pages/device/link-device.tsx'
export { failureWords } from './account-pages/failures/failure-words.ts'
export { AcceptInvitationView } from './account-pages/invitations/accept-invitation.tsx'
export {
  InvitationAdministration,
  InvitationsView,
} from './account-pages/invitations/invitation-administration.tsx'
export { PermissionBoxes } from './account-pages/machines/machine-form.tsx'
export { MachinesView } from './account-pages/machines/register-machine.tsx'
export { PasskeysView } from './account-pages/passkeys/passkeys.tsx'
export { ForgotPasswordView } from './account-pages/password/forgot-password.tsx'
export { ResetPasswordView } from './account-pages/password/reset-password.tsx'
export { type AccountPaths } from './account-pages/provider/account-paths.ts'
export {
  AccountProvider,
  type AccountProviderProps,
  usePaths,
  useSay,
} from './account-pages/provider/account-provider.tsx'
export { SecondStepView } from './account-pages/second-factor/finish-sign-in.tsx'
export { TwoStepView } from './account-pages/second-factor/two-step.tsx'
export { SignInView } from './account-pages/sign-in/sign-in.tsx'
export { SignOutButton } from './account-pages/sign-in/sign-out-button.tsx'
export { CompleteSignUpView } from './account-pages/sign-up/complete-sign-up.tsx'
export { RegisterView } from './account-pages/sign-up/register.tsx'
export { SignUpView } from './account-pages/sign-up/sign-up.tsx'
export { FinishSocialSignIn, OAuthError } from './account-pages/social/finish-social-sign-in.tsx'
export { LinkedAccountsView } from './account-pages/social/linked-accounts.tsx'
export { StepUp } from './account-pages/step-up/step-up.tsx'
export { ArrivalNotice } from './account-pages/ui/arrival-notice.tsx'
export { Button, ButtonLink, QuietButton, TextLink } from './account-pages/ui/button.tsx'
export { ConfirmButton } from './account-pages/ui/confirm-button.tsx'
export { Field, Select, TextArea } from './account-pages/ui/field.tsx'
export { MailboxHint } from './account-pages/ui/mailbox-hint.tsx'
export { Outcome } from './account-pages/ui/outcome.tsx'
export { AccountPage, Entrance, PageHeading, Panel, Skeleton } from './account-pages/ui/page.tsx'
export { type EntranceSlots, type PageSlots } from './account-pages/ui/page-slots.ts'
export { withReturnTo } from './account-pages/ui/sign-in-address.ts'
export { RelativeTime, useNow } from './account-pages/ui/time.tsx'
export {
  type AccountSentence,
  type AccountWords,
  accountWords,
} from './account-pages/words/account-words.ts'
export { koreanWords } from './account-pages/words/korean-words.ts'
export { english, type Say } from './account-pages/words/say.ts'
