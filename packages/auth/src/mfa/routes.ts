import { ServiceUnavailableError } from '@svc/core'
import { implement } from '../implement.ts'
import { mfaContract } from './contract.ts'

const notYet = () => {
  throw new ServiceUnavailableError()
}

export const mfaRoutes = implement(mfaContract, {
  mfaStatus: notYet,
  mfaTotpEnroll: notYet,
  mfaTotpConfirm: notYet,
  mfaDisable: notYet,
  mfaMarkPasskey: notYet,
  mfaRegenerateRecoveryCodes: notYet,
  mfaStepUpOptions: notYet,
  mfaStepUp: notYet,
  mfaVerifyOptions: notYet,
  mfaVerify: notYet,
})
