import { type Tx, UnauthorizedError } from '@svc/core'
import type { Caller, KeyBinding } from '../caller/caller.ts'
import { windowOf } from '../keys/key-binding.ts'
import type { Signer } from '../keys/lock-caller.ts'
import type { SessionBinding } from './contract.ts'

/** Of the key that signed the request: each device is bound for itself. */
export function getSessionBinding({ binding, keyExpiresAt }: Caller): SessionBinding {
  return sessionBinding({ binding, expiresAt: keyExpiresAt })
}

interface Window {
  binding: KeyBinding | null
  expiresAt: Date | null
}

/** What a change has come to. Null is one for which another request was faster: that one's is answered. */
export async function changedBinding(tx: Tx, key: Signer, changed: Window | null) {
  const window = changed ?? (await windowOf(tx, key))
  if (!window) throw new UnauthorizedError()
  return sessionBinding(window)
}

function sessionBinding({ binding, expiresAt }: Window): SessionBinding {
  return { mode: binding ?? 'none', ...(expiresAt && { keyExpiresAtMillis: expiresAt.getTime() }) }
}
