// What a capability of another package writes its contract with. Browsers may import it, and pay for the schemas.
export { type AuthContract, operationsOf } from './auth-contract.ts'
export {
  type Access,
  allow,
  type CallerOf,
  type Counted,
  type Declared,
  type Operations,
} from './capability/access.ts'
export type { BrowserEffect, BrowserEffects, KeyRegistering } from './capability/browser-effect.ts'
export {
  type AnyContract,
  type CapabilityContract,
  defineContract,
  type EffectsOf,
  type OperationsOf,
} from './capability/contract.ts'
export {
  KeyListItem,
  keyFields,
  keyRefusals,
  LetIn,
  NewDeviceKey,
} from './capability/key-fields.ts'
export { knownBrowserInput } from './capability/known-browser.ts'
export { LoginResult } from './capability/login-result.ts'
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
