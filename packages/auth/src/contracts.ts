import { approvalContract } from './approvals/contract.ts'
import { auditContract } from './audit/contract.ts'
import { backgroundJobContract } from './background-jobs/contract.ts'
import { codeContract } from './codes/contract.ts'
import { contactContract } from './contact/contract.ts'
import { dataExportContract } from './data-export/contract.ts'
import { deletionContract } from './deletion/contract.ts'
import { deviceAuthContract } from './device/contract.ts'
import { invitationContract } from './invitations/contract.ts'
import { sessionContract } from './key-binding/contract.ts'
import { keyContract } from './keys/contract.ts'
import { loginContract } from './login/contract.ts'
import { machineKeyContract } from './machine-keys/contract.ts'
import { mfaContract } from './mfa/contract.ts'
import { oauth2Contract } from './oauth2/contract.ts'
import { oneTimeTokenContract } from './one-time-token/contract.ts'
import { openStreamContract } from './open-streams/contract.ts'
import { passkeyContract } from './passkeys/contract.ts'
import { passwordContract } from './password/contract.ts'
import { passwordResetContract } from './password-reset/contract.ts'
import { peopleContract } from './people/contract.ts'
import { profileContract } from './profile/contract.ts'
import { programContract } from './programs/contract.ts'
import { recentProofContract } from './recent-proof/contract.ts'
import { registerContract } from './register/contract.ts'
import { revokeAllContract } from './revoke-all/contract.ts'
import { roleContract } from './roles/contract.ts'
import { serverStateContract } from './server-state/contract.ts'
import { signupContract } from './signup/contract.ts'
import { socialContract } from './social/contract.ts'
import { supportContract } from './support/contract.ts'

/** The contracts of the capabilities that sign-in consists of. */
export const authContracts = [
  codeContract,
  registerContract,
  signupContract,
  loginContract,
  deviceAuthContract,
  passkeyContract,
  mfaContract,
  recentProofContract,
  socialContract,
  sessionContract,
  keyContract,
  machineKeyContract,
  revokeAllContract,
  passwordContract,
  passwordResetContract,
  oneTimeTokenContract,
  profileContract,
  contactContract,
  invitationContract,
  deletionContract,
  dataExportContract,
  roleContract,
  peopleContract,
  auditContract,
  openStreamContract,
  backgroundJobContract,
  programContract,
  serverStateContract,
  supportContract,
  oauth2Contract,
  approvalContract,
] as const
