import type { Contract } from './access.ts'
import { auditContract } from './audit/contract.ts'
import { codeContract } from './codes/contract.ts'
import { keyContract } from './keys/contract.ts'
import { loginContract } from './login/contract.ts'
import { oneTimeTokenContract } from './one-time-token/contract.ts'
import { passwordContract } from './password/contract.ts'
import { profileContract } from './profile/contract.ts'
import { registerContract } from './register/contract.ts'
import { revokeAllContract } from './revoke-all/contract.ts'
import { roleContract } from './roles/contract.ts'
import { sessionContract } from './session/contract.ts'

/** Every operation of the service, with those who may call it. */
export const authContract = {
  ...codeContract,
  ...registerContract,
  ...loginContract,
  ...sessionContract,
  ...keyContract,
  ...revokeAllContract,
  ...passwordContract,
  ...oneTimeTokenContract,
  ...profileContract,
  ...roleContract,
  ...auditContract,
} satisfies Contract

export type AuthContract = typeof authContract
