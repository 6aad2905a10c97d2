import { ServiceUnavailableError } from '@svc/core'
import { implement } from '../implement.ts'
import { passkeyContract } from './contract.ts'

const notYet = () => {
  throw new ServiceUnavailableError()
}

export const passkeyRoutes = implement(passkeyContract, {
  passkeyRegisterOptions: notYet,
  passkeyRegisterVerify: notYet,
  passkeyLoginOptions: notYet,
  passkeyLoginVerify: notYet,
  listPasskeys: notYet,
  renamePasskey: notYet,
  revokePasskey: notYet,
})
