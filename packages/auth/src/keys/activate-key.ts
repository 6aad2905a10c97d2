import { randomUUID } from 'node:crypto'
import type { Tx } from '@svc/core'
import type { RequestOrigin } from '../caller/request-origin.ts'
import { endSurplus } from './end-surplus.ts'
import { tellOfDevice } from './register-key.ts'
import { activatePending } from './store.ts'

interface Activation {
  keyId: string
  userId: string
  /** The operation that has put the key under the account. */
  channel: string
  origin: RequestOrigin
  now: Date
}

/** Lets a key sign that waited for the second factor. Null when it waits no more. */
export async function activateKey(tx: Tx, { channel, origin, ...waiting }: Activation) {
  const key = await activatePending(tx, { ...waiting, knownId: randomUUID() })
  if (!key) return null
  await tellOfDevice(key, channel)
  await endSurplus(tx, { ...waiting, origin })
  return key
}
