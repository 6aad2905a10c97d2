import type { Tx } from '@svc/core'
import type { LockedAccount } from '../accounts/lock-account.ts'
import type { RequestOrigin } from '../authenticate/request-origin.ts'
import type { DeviceKeyMaterial } from '../crypto/spki.ts'
import { deviceRegisteredEvent } from '../events.ts'
import type { NewDeviceKey } from './contract.ts'
import { displayText } from './display-text.ts'
import { KeyIdAlreadyRegisteredError } from './errors.ts'
import { fingerprintPrefix } from './fingerprint-prefix.ts'
import * as store from './store.ts'

/** A key lives so long from its registration or rotation. */
const lifeMillis = 90 * 86_400_000

/** The display part of a new key, and its material once `readPublicKey` has checked it. */
export interface CheckedKey extends DeviceKeyMaterial {
  readonly keyId: string
  readonly deviceName?: string | undefined
  readonly platform?: NewDeviceKey['platform'] | undefined
}

export interface Registration {
  /** Locked in this transaction, and compared with the generation that the credential was checked against. */
  account: LockedAccount
  key: CheckedKey
  origin: RequestOrigin
  /** The operation that registers it, as `auth.device.registered` names it. */
  channel: string
  now: Date
}

/**
 * Puts a key under an account: the only place that does. A key id belongs to one key for all time, so one that was
 * ever used by another key, another account or a key that is gone is refused; the live key itself is welcome again.
 */
export async function registerKey(tx: Tx, registration: Registration) {
  const { account, key, origin, channel, now } = registration
  const expiresAt = new Date(now.getTime() + lifeMillis)
  // A public key that is live elsewhere would let its owner act as this account without knowing.
  await store.lockFingerprint(tx, key.fingerprint)
  if (await store.isLiveElsewhere(tx, key.fingerprint, account.userId)) {
    throw new KeyIdAlreadyRegisteredError()
  }
  const inserted = await store.insertActive(tx, {
    ...key,
    deviceName: displayText(key.deviceName, 64),
    platform: key.platform ?? null,
    userId: account.userId,
    registeredIp: origin.address,
    registeredUserAgent: origin.userAgent,
    createdAt: now,
    expiresAt,
  })
  if (!inserted) return registerAgain(tx, registration, expiresAt)
  await deviceRegisteredEvent.emit(registered(inserted, channel))
  return { keyId: key.keyId, expiresAt, isNew: true }
}

/** The client did not hear the first answer and asks again; an expired key gets its life back. */
async function registerAgain(tx: Tx, { account, key, now }: Registration, expiresAt: Date) {
  const { userId } = account
  const live = await store.extendActive(tx, { ...key, userId, now, expiresAt })
  if (!live) throw new KeyIdAlreadyRegisteredError()
  return { keyId: key.keyId, expiresAt: live.expiresAt, isNew: false }
}

function registered(key: store.KeyRow, channel: string) {
  return {
    userId: key.userId as string,
    keyId: key.keyId,
    algorithm: key.algorithm,
    fingerprintPrefix: fingerprintPrefix(key.fingerprint),
    ...(key.deviceName && { deviceName: key.deviceName }),
    ...(key.platform && { platform: key.platform }),
    ...(key.registeredIp && { ip: key.registeredIp }),
    ...(key.registeredUserAgent && { userAgent: key.registeredUserAgent }),
    createdAtMillis: key.createdAt.getTime(),
    channel,
  }
}
