import { implement } from '../implement.ts'
import { sessionContract } from './contract.ts'
import { getAuthSession } from './get-auth-session.ts'

export const sessionRoutes = implement(sessionContract, {
  getAuthSession: ({ auth, caller }) => getAuthSession(auth, caller),
})
