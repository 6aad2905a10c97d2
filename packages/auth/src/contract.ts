// A capability of another package writes its contract with these. Browsers may import them, at the
// cost of the schemas.
export { type AuthContract, operationsOf } from './auth-contract.ts'
export type { BrowserEffect, BrowserEffects, KeyRegistering } from './capability/contract.ts'
export {
  type Access,
  type AnyContract,
  allow,
  type CallerOf,
  type CapabilityContract,
  type Counted,
  type Declared,
  defineContract,
  type EffectsOf,
  knownBrowserInput,
  LoginResult,
  type Operations,
  type OperationsOf,
  type Tenant,
} from './capability/contract.ts'
export {
  KeyListItem,
  keyFields,
  keyRefusals,
  LetIn,
  NewDeviceKey,
} from './capability/fields.ts'
export { authContracts } from './contracts.ts'
export {
  type Limit,
  type LimitName,
  type LimitTable,
  limitRefusals,
  perDay,
  perHour,
  perMinute,
} from './limits/contract.ts'
export { linkRequest, linkRequested, linkToken } from './links/contract.ts'
export { sendRefusals } from './sends/contract.ts'
