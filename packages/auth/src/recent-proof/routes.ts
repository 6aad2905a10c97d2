import { implement } from '../running/implement.ts'
import { recentProofContract } from './contract.ts'
import { proveRecent } from './prove-recent.ts'
import { proveRecentOptions } from './prove-recent-options.ts'

export const recentProofRoutes = implement(recentProofContract, {
  proveRecentOptions: ({ auth, caller }) => proveRecentOptions(auth, caller),
  proveRecent: async ({ auth, caller, body: proof, origin, c }) => {
    await proveRecent(auth, { caller, proof, origin })
    return c.noContent()
  },
})
