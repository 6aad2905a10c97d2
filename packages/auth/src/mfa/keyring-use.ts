import { type Needs, runningAuth } from '../auth.ts'
import { accountsByMissingKey, countByRingKey } from './ring-key-store.ts'

export interface RingKeyUse {
  keyId: string
  /** What is written from now on is encrypted with it. */
  isActive: boolean
  /** Authenticator apps that need it. */
  secondFactors: number
  /** Unused recovery codes that need it. */
  recoveryCodes: number
}

/** What needs each key of the keyring, and each that is gone: one that nothing needs may be removed. */
export async function keyringUse(): Promise<RingKeyUse[]> {
  const { db, keyring } = runningAuth()
  const counted = new Map((await countByRingKey(db)).map((use) => [use.keyId, use]))
  const keyIds = new Set([...(keyring?.keys.keys() ?? []), ...counted.keys()])
  return [...keyIds].map((keyId) => ({
    keyId,
    isActive: keyId === keyring?.activeKeyId,
    secondFactors: counted.get(keyId)?.secondFactors ?? 0,
    recoveryCodes: counted.get(keyId)?.recoveryCodes ?? 0,
  }))
}

/** A key that was removed too early keeps its accounts out. The start goes on: all others can sign in. */
export async function reportMissingRingKeys({ db, keyring, log }: Needs<'db' | 'keyring' | 'log'>) {
  const missing = await accountsByMissingKey(db, [...(keyring?.keys.keys() ?? [])])
  if (missing.length === 0) return
  log.error({ missing }, 'SVC_AUTH_TOKEN_ENCRYPTION_KEYS lacks keys that second factors need')
}
