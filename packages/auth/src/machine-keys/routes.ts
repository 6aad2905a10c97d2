import { implement } from '../running/implement.ts'
import { machineKeyContract } from './contract.ts'
import { createMachineKey } from './create-machine-key.ts'

export const machineKeyRoutes = implement(machineKeyContract, {
  createMachineKey: ({ auth, caller, body, origin }) =>
    createMachineKey(auth, { caller, body, origin }),
})
