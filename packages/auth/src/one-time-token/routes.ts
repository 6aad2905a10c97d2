import { implement } from '../running/implement.ts'
import { oneTimeTokenContract } from './contract.ts'
import { issueOneTimeToken } from './issue-one-time-token.ts'

export const oneTimeTokenRoutes = implement(oneTimeTokenContract, {
  issueOneTimeToken: ({ auth, caller }) => issueOneTimeToken(auth, caller),
})
