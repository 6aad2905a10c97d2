export { AcceptInvitationPage } from './account-pages/next/accept-invitation-page.tsx'
export { AccountLayout } from './account-pages/next/account-layout.tsx'
export { AgentsPage } from './account-pages/next/agents-page.tsx'
export { ApproveDevicePage } from './account-pages/next/approve-device-page.tsx'
export { ChangeEmailPage } from './account-pages/next/change-email-page.tsx'
export { CompleteSignUpPage } from './account-pages/next/complete-sign-up-page.tsx'
export {
  DeleteAccountPage,
  type DeleteAccountPageProps,
} from './account-pages/next/delete-account-page.tsx'
export { DevicesPage } from './account-pages/next/devices-page.tsx'
export { ForgotPasswordPage } from './account-pages/next/forgot-password-page.tsx'
export {
  InvitationsPage,
  type InvitationsPageProps,
} from './account-pages/next/invitations-page.tsx'
export { LinkDevicePage } from './account-pages/next/link-device-page.tsx'
export { LinkedAccountsPage } from './account-pages/next/linked-accounts-page.tsx'
export { MachinesPage } from './account-pages/next/machines-page.tsx'
export type { AccountPageProps, EntranceProps } from './account-pages/next/page-props.ts'
export { PasskeysPage } from './account-pages/next/passkeys-page.tsx'
export { ProfilePage } from './account-pages/next/profile-page.tsx'
export { RegisterPage } from './account-pages/next/register-page.tsx'
export { RenewSessionPage } from './account-pages/next/renew-session-page.tsx'
export { ResetPasswordPage } from './account-pages/next/reset-password-page.tsx'
export { RestoreAccountPage } from './account-pages/next/restore-account-page.tsx'
export { SecondStepPage } from './account-pages/next/second-step-page.tsx'
export { SecurityPage, type SecurityPageProps } from './account-pages/next/security-page.tsx'
export { SignInPage } from './account-pages/next/sign-in-page.tsx'
export { SignUpPage } from './account-pages/next/sign-up-page.tsx'
export { SocialCallbackPage } from './account-pages/next/social-callback-page.tsx'
export { SocialErrorPage } from './account-pages/next/social-error-page.tsx'
export { TwoStepPage } from './account-pages/next/two-step-page.tsx'
export { UndoChangePage } from './account-pages/next/undo-change-page.tsx'
