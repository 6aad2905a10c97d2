import { ServiceUnavailableError } from '@svc/core'
import { implement } from '../implement.ts'
import { deletionContract } from './contract.ts'

function soon(): never {
  throw new ServiceUnavailableError()
}

export const deletionRoutes = implement(deletionContract, {
  requestAccountDeletion: soon,
  cancelAccountDeletion: soon,
  exportUserData: soon,
})
