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
