import { randomUUID } from 'node:crypto'
import type { Tx } from '@svc/core'
import { recordAudit } from '../audit/audit.ts'
import type { RequestOrigin } from '../caller/caller.ts'
import type { CheckedKey, KeyLife, Registration } from '../capability/capability.ts'
import type { NewDeviceKey } from '../capability/fields.ts'
import { readPublicKey } from '../crypto/crypto.ts'
import { KeyIdAlreadyRegisteredError } from '../crypto/errors.ts'
import { displayText } from '../display-text.ts'
import { deviceRegisteredEvent } from '../events.ts'
import { keysRevoked } from '../streams/streams.ts'
import { fullLife } from './key-life.ts'
import * as store from './store.ts'
import { activatePending, revokeSurplus } from './store.ts'

/**
 * Checks the material of a new key, before costly work and before anything is written. It also
 * makes the name a text that a column and a queue can hold: otherwise the owner would get no mail
 * about the sign-in.
 */
export function checkNewKey(key: NewDeviceKey): CheckedKey {
  const { keyId, deviceName, platform } = key
  const name = displayText(deviceName, 64) ?? undefined
  return { ...readPublicKey(key), keyId, deviceName: name, platform }
}

/**
 * Registers a key under an account; no other function does. A key id is never used twice, so one
 * that was ever used by another key, by another account or by a deleted key is refused. The live
 * key itself may be registered again.
 */
export async function registerKey(tx: Tx, registration: Registration) {
  const { account, key, origin, channel, isPending = false, now } = registration
  const { permissions = null, operator, way } = registration
  const { succeeds: life = fullLife(now, way) } = registration
  const kind = operator ? 'support' : permissions ? 'machine' : 'device'
  const { knownId = kind === 'device' ? randomUUID() : null } = registration
  const { fingerprint } = key
  // If a public key is live elsewhere, its owner could act as this account without knowing. If it
  // is a machine's here, it would have more permissions than were chosen for the machine.
  await store.lockFingerprint(tx, fingerprint)
  if (await store.isLiveElsewhere(tx, { fingerprint, userId: account.userId, kind })) {
    throw new KeyIdAlreadyRegisteredError()
  }
  const inserted = await store.insertKey(tx, {
    ...key,
    ...life,
    kind,
    permissions: permissions && [...permissions],
    actorId: operator?.userId ?? null,
    actorKeyId: operator?.keyId ?? null,
    state: isPending ? 'pending' : 'active',
    knownId: isPending ? null : knownId,
    deviceName: key.deviceName ?? null,
    platform: key.platform ?? null,
    userId: account.userId,
    registeredIp: origin.address,
    registeredUserAgent: origin.userAgent,
    createdAt: now,
  })
  if (!inserted) return registerAgain(tx, registration, { ...life, knownId })
  if (!isPending) await tellOfDevice(inserted, channel)
  if (!isPending && kind === 'device') {
    await endSurplus(tx, { userId: account.userId, keyId: key.keyId, origin, now })
  }
  return { ...inserted, isNew: true as const }
}

/**
 * The client lost the first response and retries; an expired key that is not bound gets a new life.
 */
async function registerAgain(
  tx: Tx,
  { account, key, isPending, now }: Registration,
  life: KeyLife & { knownId: string | null },
) {
  const { userId } = account
  const live = isPending
    ? await store.takePending(tx, { ...key, ...life, userId })
    : await store.extendActive(tx, { ...key, ...life, userId, now })
  if (!live) throw new KeyIdAlreadyRegisteredError()
  const { expiresAt, knownId } = live
  return { keyId: key.keyId, expiresAt, knownId, isNew: false as const }
}

/** Reports that a key can sign from now on. */
async function tellOfDevice(key: store.KeyRow, channel: string) {
  await deviceRegisteredEvent.emit(registered(key, channel))
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

interface Activation {
  keyId: string
  userId: string
  /** The operation that has registered the key. */
  channel: string
  origin: RequestOrigin
  now: Date
}

/** Lets a key sign that waited for the second factor. Null if it waits no more. */
export async function activateKey(tx: Tx, { channel, origin, ...waiting }: Activation) {
  const key = await activatePending(tx, { ...waiting, knownId: randomUUID() })
  if (!key) return null
  await tellOfDevice(key, channel)
  await endSurplus(tx, { ...waiting, origin })
  return key
}

// More than a user has devices. Each new sign-in in a browser adds a key.
export const mostDevices = 100

interface Added {
  userId: string
  keyId: string
  origin: RequestOrigin
  now: Date
}

/**
 * Makes room for a device that has just been added, under the account's lock, by ending the least recently used one.
 * Refusing the sign-in instead would lock the owner out for as long as an attacker keeps signing in.
 */
async function endSurplus(tx: Tx, { userId, keyId, origin, now }: Added) {
  const reason = 'surplus'
  const keyIds = await revokeSurplus(tx, { userId, keyId, keep: mostDevices - 1, reason, now })
  if (keyIds.length === 0) return
  for (const target of keyIds) {
    const details = { reason, successor: keyId }
    await recordAudit(tx, { act: 'key.revoked', actor: userId, target, details, origin, at: now })
  }
  await keysRevoked.emit({ userId, keyIds, reason })
}

/**
 * The part of a key's fingerprint that is shown: enough for its owner to tell two devices apart.
 */
export function fingerprintPrefix(fingerprint: string) {
  return fingerprint.slice(0, 8)
}
