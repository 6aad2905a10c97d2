import { ServiceUnavailableError } from '@svc/core'
import { implement } from '../implement.ts'
import { invitationContract } from './contract.ts'

function soon(): never {
  throw new ServiceUnavailableError()
}

export const invitationRoutes = implement(invitationContract, {
  createInvitation: soon,
  listInvitations: soon,
  getInvitation: soon,
  acceptInvitation: soon,
  cancelInvitation: soon,
  resendInvitation: soon,
  deleteInvitation: soon,
})
