import type { Caller } from '../authenticate/caller.ts'
import type { SessionBinding } from './contract.ts'

/** Of the key that signed the request: each device is bound for itself. */
export function getSessionBinding({ binding, keyExpiresAt }: Caller): SessionBinding {
  const keyExpiresAtMillis = keyExpiresAt?.getTime()
  return { mode: binding ?? 'none', ...(keyExpiresAtMillis && { keyExpiresAtMillis }) }
}
