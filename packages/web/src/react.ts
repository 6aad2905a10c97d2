'use client'

export {
  type StepUpDialog,
  StepUpProvider,
  type StepUpProviderProps,
} from './account/step-up-provider.ts'
export {
  type OwnerProof,
  useCancelAccountDeletion,
  useExportUserData,
  useRequestAccountDeletion,
} from './account/use-account-deletion.ts'
export { type Action, useAction } from './account/use-action.ts'
export { useConnectedAgents } from './account/use-connected-agents.ts'
export {
  type ContactChange,
  type ContactUndoStage,
  useChangeEmail,
  useContactUndo,
} from './account/use-contact-change.ts'
export {
  type ApprovedDevice,
  useDeviceApproval,
  type WaitingDevice,
} from './account/use-device-approval.ts'
export { type LinkCode, useDeviceLink } from './account/use-device-link.ts'
export { type Device, useDevices } from './account/use-devices.ts'
export {
  type ProvenEmail,
  type SentCode,
  useCodeSignIn,
  useEmailCode,
  useRegister,
} from './account/use-email-code.ts'
export {
  type InvitationOffer,
  type InvitationStage,
  type NewInvitation,
  useAcceptInvitation,
  useInvitations,
} from './account/use-invitations.ts'
export {
  type LinkRequestOptions,
  type PasswordSetupOptions,
  type PasswordSetupStage,
  type RequestedLink,
  useCompletePasswordReset,
  useCompleteSignup,
  useLinkToken,
  usePasswordReset,
  useSignupLink,
} from './account/use-mailed-links.ts'
export {
  type TotpSecret,
  useMfaStatus,
  useRecoveryCodes,
  useSecondFactor,
  useTotpEnrollment,
} from './account/use-mfa.ts'
export { usePasskeySignIn, usePasskeys } from './account/use-passkeys.ts'
export {
  type UsernameStatus,
  type UserProfile,
  useProfile,
  useUsernameCheck,
} from './account/use-profile.ts'
export { type ProofWays, type TypedProof } from './account/use-recent-proof.ts'
export {
  useChangePassword,
  useRotateKey,
  useSessionBinding,
  useSessionRenewal,
  useSignOutEverywhere,
} from './account/use-security.ts'
export { type Credentials, useSignIn, useSignOut } from './account/use-sign-in.ts'
export { type StreamListeners, type StreamStatus, useStream } from './account/use-stream.ts'
export { refusedStatus } from './guards/client.ts'
export {
  OAuthCallback,
  type OAuthCallbackProps,
  type OAuthProgress,
} from './oauth/oauth.ts'
export {
  failureOfCallback,
  type OAuthFailure,
  type OAuthFailureReason,
} from './oauth/oauth-failure.ts'
export { useSocialAccounts, useSocialSignIn } from './oauth/use-social-accounts.ts'
