export { type StepUpDialog, StepUpProvider, type StepUpProviderProps } from './step-up-provider.ts'
export {
  type OwnerProof,
  useCancelAccountDeletion,
  useExportUserData,
  useRequestAccountDeletion,
} from './use-account-deletion.ts'
export { type Action, useAction } from './use-action.ts'
export { useAgentDescription } from './use-agent-description.ts'
export { type AgentRequest, useAgentRequest } from './use-agent-request.ts'
export { useApprovals } from './use-approvals.ts'
export { useConnectedAgents } from './use-connected-agents.ts'
export {
  type ContactChange,
  type ContactUndoStage,
  useChangeEmail,
  useContactUndo,
} from './use-contact-change.ts'
export {
  type ApprovedDevice,
  useDeviceApproval,
  type WaitingDevice,
} from './use-device-approval.ts'
export { type LinkCode, useDeviceLink } from './use-device-link.ts'
export { type Device, useDevices } from './use-devices.ts'
export {
  type ProvenEmail,
  type SentCode,
  useCodeSignIn,
  useEmailCode,
  useRegister,
} from './use-email-code.ts'
export {
  type FactorKeepingStage,
  type PendingRemoval,
  useKeptFactor,
  usePendingRemoval,
} from './use-factor-removal.ts'
export { useInitialLoad } from './use-initial-load.ts'
export {
  type InvitationOffer,
  type InvitationStage,
  type NewInvitation,
  useAcceptInvitation,
  useInvitations,
} from './use-invitations.ts'
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
} from './use-mailed-links.ts'
export {
  type TotpSecret,
  useMfaStatus,
  useRecoveryCodes,
  useSecondFactor,
  useTotpEnrollment,
} from './use-mfa.ts'
export { usePasskeySignIn } from './use-passkey-sign-in.ts'
export { usePasskeys } from './use-passkeys.ts'
export { type Presence, usePresence } from './use-presence.ts'
export {
  type UsernameStatus,
  type UserProfile,
  useProfile,
  useUsernameCheck,
} from './use-profile.ts'
export type { ProofWays, TypedProof } from './use-recent-proof.ts'
export {
  useChangePassword,
  useRotateKey,
  useSessionBinding,
  useSessionRenewal,
  useSignOutEverywhere,
} from './use-security.ts'
export { type Credentials, useSignIn, useSignOut } from './use-sign-in.ts'
export {
  type MissedEvents,
  type StreamListeners,
  type StreamStatus,
  useStream,
} from './use-stream.ts'
export { type SupportCode, useSupportCode } from './use-support-code.ts'
