'use client'

export type { ApprovedDevice } from './account/device-decision.ts'
export {
  type StepUpDialog,
  StepUpProvider,
  type StepUpProviderProps,
} from './account/step-up-provider.ts'
export {
  type OwnerProof,
  useCancelAccountDeletion,
  useRequestAccountDeletion,
} from './account/use-account-deletion.ts'
export { type Action, useAction } from './account/use-action.ts'
export { useCodeSignIn } from './account/use-code-sign-in.ts'
export { useConnectedAgents } from './account/use-connected-agents.ts'
export {
  type ContactChange,
  type ContactUndoStage,
  useChangeEmail,
  useContactUndo,
} from './account/use-contact-change.ts'
export { useExportUserData } from './account/use-data-export.ts'
export { useDeviceApproval, type WaitingDevice } from './account/use-device-approval.ts'
export { type LinkCode, useDeviceLink } from './account/use-device-link.ts'
export { type Device, useDevices } from './account/use-devices.ts'
export { type ProvenEmail, type SentCode, useEmailCode } from './account/use-email-code.ts'
export type { TypedProof } from './account/use-factor-proof.ts'
export {
  type InvitationOffer,
  type InvitationStage,
  type NewInvitation,
  useAcceptInvitation,
  useInvitations,
} from './account/use-invitations.ts'
export type { LinkRequestOptions, RequestedLink } from './account/use-link-request.ts'
export { useLinkToken } from './account/use-link-token.ts'
export {
  type TotpSecret,
  useMfaStatus,
  useRecoveryCodes,
  useTotpEnrollment,
} from './account/use-mfa.ts'
export { usePasskeySignIn } from './account/use-passkey-sign-in.ts'
export { usePasskeys } from './account/use-passkeys.ts'
export { useCompletePasswordReset, usePasswordReset } from './account/use-password-reset.ts'
export type { PasswordSetupOptions, PasswordSetupStage } from './account/use-password-setup.ts'
export { type UserProfile, useProfile } from './account/use-profile.ts'
export type { ProofWays } from './account/use-recent-proof.ts'
export { useRegister } from './account/use-register.ts'
export { useSecondFactor } from './account/use-second-factor.ts'
export {
  useChangePassword,
  useRotateKey,
  useSignOutEverywhere,
} from './account/use-security.ts'
export { useSessionBinding, useSessionRenewal } from './account/use-session-binding.ts'
export { type Credentials, useSignIn, useSignOut } from './account/use-sign-in.ts'
export { useCompleteSignup, useSignupLink } from './account/use-signup-link.ts'
export { type StreamListeners, type StreamStatus, useStream } from './account/use-stream.ts'
export { type UsernameStatus, useUsernameCheck } from './account/use-username-check.ts'
export { refusedStatus } from './guards/refused-page.ts'
export {
  OAuthCallback,
  type OAuthCallbackProps,
  type OAuthProgress,
} from './oauth/oauth-callback.ts'
export {
  failureOfCallback,
  type OAuthFailure,
  type OAuthFailureReason,
} from './oauth/oauth-failure.ts'
export { useSocialAccounts } from './oauth/use-social-accounts.ts'
export { useSocialSignIn } from './oauth/use-social-sign-in.ts'
