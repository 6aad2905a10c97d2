export { checkMachines, type MachineOptions } from './machine-options.ts'
export {
  createServiceAccount,
  endServiceAccount,
  listServiceKeys,
  lockServiceAccount,
  type NewServiceKey,
  registerServiceKey,
  renameServiceAccount,
  revokeServiceKey,
} from './service-accounts.ts'
