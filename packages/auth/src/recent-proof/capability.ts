import { defineCapability } from '../capability/capability.ts'
import { recentProofContract } from './contract.ts'
import { proveRecent, proveRecentOptions } from './prove-recent.ts'

export const recentProofCapability = defineCapability(recentProofContract, {
  handlers: {
    proveRecentOptions: ({ auth, caller }) => proveRecentOptions(auth, caller),
    proveRecent: async ({ auth, caller, body: proof, origin, c }) => {
      await proveRecent(auth, { caller, proof, origin })
      return c.noContent()
    },
  },
})
