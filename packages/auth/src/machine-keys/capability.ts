import { defineCapability } from '../capability/capability.ts'
import { machineKeyActs } from './acts.ts'
import { machineKeyContract } from './contract.ts'
import { createMachineKey } from './create-machine-key.ts'

export const machineKeyCapability = defineCapability(machineKeyContract, {
  audit: machineKeyActs,
  handlers: {
    createMachineKey: ({ auth, caller, body, origin }) =>
      createMachineKey(auth, { caller, body, origin }),
  },
})
