import { ServiceUnavailableError } from '@svc/core'
import { implement } from '../implement.ts'
import { sessionContract } from './contract.ts'
import { getAuthSession } from './get-auth-session.ts'
import { getSessionBinding } from './session-binding.ts'

const notYet = () => {
  throw new ServiceUnavailableError()
}

export const sessionRoutes = implement(sessionContract, {
  getAuthSession: ({ auth, caller }) => getAuthSession(auth, caller),
  getSessionBinding: ({ caller }) => getSessionBinding(caller),
  setSessionBinding: notYet,
  sessionBindingDisableOptions: notYet,
  sessionRenewOptions: notYet,
  sessionRenewVerify: notYet,
})
