import type { Caller } from '../authenticate/caller.ts'
import type { KeyBinding } from '../keys/key-life.ts'
import type { SessionBinding } from './contract.ts'

/** Of the key that signed the request: each device is bound for itself. */
export function getSessionBinding({ binding, keyExpiresAt }: Caller): SessionBinding {
  return sessionBinding({ binding, expiresAt: keyExpiresAt })
}

interface Window {
  binding: KeyBinding | null
  expiresAt: Date | null
}

/** What a key is tied to, as it is answered. */
export function sessionBinding({ binding, expiresAt }: Window): SessionBinding {
  return { mode: binding ?? 'none', ...(expiresAt && { keyExpiresAtMillis: expiresAt.getTime() }) }
}
