import { defineCapability } from '../capability/capability.ts'
import { programContract } from './contract.ts'
import { listAgents, listMachines } from './programs.ts'

/** Agents and machines of all accounts. What ends one is an operation of another capability. */
export const programCapability = defineCapability(programContract, {
  handlers: {
    listAgents: async ({ auth, caller, query }) => {
      await auth.limits.take('program list by account', caller.userId)
      return listAgents(auth, query)
    },
    listMachines: async ({ auth, caller, query }) => {
      await auth.limits.take('program list by account', caller.userId)
      return listMachines(auth, query)
    },
  },
})
