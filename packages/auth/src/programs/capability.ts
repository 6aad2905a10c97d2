import { defineCapability } from '../capability/capability.ts'
import { programActs } from './acts.ts'
import { programContract } from './contract.ts'
import { endAgentAccounts } from './end-agent-accounts.ts'
import { endAgentGrant } from './end-grant.ts'
import { listAgents, listMachines } from './programs.ts'

/** Agents and machines of all accounts. What ends the key of a machine is `signUserOut`. */
export const programCapability = defineCapability(programContract, {
  audit: programActs,
  handlers: {
    listAgents: async ({ auth, caller, query }) => {
      await auth.limits.take('program list by account', caller.userId)
      return listAgents(auth, query)
    },
    listMachines: async ({ auth, caller, query }) => {
      await auth.limits.take('program list by account', caller.userId)
      return listMachines(auth, query)
    },
    endAgentGrant: async ({ auth, c, ...request }) => {
      await auth.limits.take('grant end by account', request.caller.userId)
      await endAgentGrant(auth, request)
      return c.noContent()
    },
  },
  account: { sweep: (db, now, auth) => endAgentAccounts(db, now, auth) },
})
