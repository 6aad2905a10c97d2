import { defineCapability } from '../capability/capability.ts'
import { machineKeyContract } from './contract.ts'
import { createMachineKey } from './create-machine-key.ts'

export const machineKeyCapability = defineCapability(machineKeyContract, {
  handlers: {
    createMachineKey: ({ auth, caller, body, origin }) =>
      createMachineKey(auth, { caller, body, origin }),
  },
})
