import { approvalCapability } from './approvals/capability.ts'
import { auditCapability } from './audit/capability.ts'
import { backgroundJobCapability } from './background-jobs/capability.ts'
import type { Capability } from './capability/capability.ts'
import { codeCapability } from './codes/capability.ts'
import { contactCapability } from './contact/capability.ts'
import { dataExportCapability } from './data-export/capability.ts'
import type { ApplicationData } from './data-export/data-export.ts'
import { deletionCapability } from './deletion/capability.ts'
import type { DeletionOptions } from './deletion/deletion.ts'
import { type DeviceAuthOptions, deviceAuthCapability } from './device/capability.ts'
import { invitationCapability } from './invitations/capability.ts'
import { sessionCapability } from './key-binding/capability.ts'
import { keyCapability } from './keys/capability.ts'
import { loginCapability } from './login/capability.ts'
import { machineKeyCapability } from './machine-keys/capability.ts'
import { mfaCapability } from './mfa/capability.ts'
import { oauth2Capability } from './oauth2/capability.ts'
import type { AuthorizationServerOptions } from './oauth2/oauth2.ts'
import { oneTimeTokenCapability } from './one-time-token/capability.ts'
import { openStreamCapability } from './open-streams/capability.ts'
import { passkeyCapability } from './passkeys/capability.ts'
import { passwordCapability } from './password/capability.ts'
import { passwordResetCapability } from './password-reset/capability.ts'
import { peopleCapability } from './people/capability.ts'
import { profileCapability } from './profile/capability.ts'
import { programCapability } from './programs/capability.ts'
import { recentProofCapability } from './recent-proof/capability.ts'
import { registerCapability } from './register/capability.ts'
import { revokeAllCapability } from './revoke-all/capability.ts'
import { roleCapability } from './roles/capability.ts'
import { serverStateCapability } from './server-state/capability.ts'
import { signupCapability } from './signup/capability.ts'
import { type SocialOptions, socialCapability } from './social/capability.ts'
import { consentOf, type SupportOptions, supportCapability } from './support/capability.ts'

export interface CapabilityOptions extends SocialOptions {
  /** Signing in on a device without a keyboard. */
  deviceAuth?: DeviceAuthOptions
  /**
   * Lets agents ask for access in a user's name (OAuth 2.1). Without it, each of its routes answers
   * 404.
   */
  authorizationServer?: AuthorizationServerOptions
  /**
   * Lets operators with `support:act` act as the owner of an account. Without it, each of its
   * routes answers 404.
   */
  support?: SupportOptions
  /** How long a deleted account can be restored, and what becomes of it then. */
  deletion?: DeletionOptions
  /** What the application keeps of a user: it becomes `application` in the export of their data. */
  exportUserData?: ApplicationData
}

/**
 * What sign-in consists of. An export has its parts in this order, and a purge runs in it; the
 * trail is blanked last.
 */
export function authCapabilities(options: CapabilityOptions): Capability[] {
  return [
    registerCapability,
    signupCapability,
    loginCapability,
    recentProofCapability,
    oneTimeTokenCapability,
    keyCapability,
    machineKeyCapability,
    revokeAllCapability,
    sessionCapability(consentOf(options.support)),
    passkeyCapability,
    socialCapability(options),
    oauth2Capability(options.authorizationServer),
    approvalCapability,
    mfaCapability,
    passwordCapability,
    passwordResetCapability,
    profileCapability,
    contactCapability,
    deviceAuthCapability(options.deviceAuth),
    invitationCapability,
    codeCapability,
    deletionCapability(options.deletion),
    dataExportCapability(options.exportUserData),
    roleCapability,
    peopleCapability,
    openStreamCapability,
    backgroundJobCapability,
    programCapability,
    serverStateCapability({
      agents: options.authorizationServer !== undefined,
      support: options.support !== undefined,
    }),
    supportCapability(options.support),
    auditCapability,
  ]
}
