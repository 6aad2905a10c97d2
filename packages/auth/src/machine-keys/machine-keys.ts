export {
  createServiceAccount,
  endServiceAccount,
  listServiceKeys,
  lockServiceAccount,
  type NewServiceKey,
  registerServiceKey,
  renameServiceAccount,
  revokeServiceKey,
  type ServiceAccount,
} from './service-accounts.ts'
