import { randomUUID } from 'node:crypto'
import type { Tx } from '@svc/core'
import { tellOfDevice } from './register-key.ts'
import { activatePending } from './store.ts'

interface Activation {
  keyId: string
  userId: string
  /** The operation that has put the key under the account. */
  channel: string
  now: Date
}

/** Lets a key sign that waited for the second factor. Null when it waits no more. */
export async function activateKey(tx: Tx, { channel, ...waiting }: Activation) {
  const key = await activatePending(tx, { ...waiting, knownId: randomUUID() })
  if (key) await tellOfDevice(key, channel)
  return key
}
