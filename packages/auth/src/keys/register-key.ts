import { randomUUID } from 'node:crypto'
import type { Tx } from '@svc/core'
import type { Registration } from '../capability/ways.ts'
import { type KeyLife } from '../capability/ways.ts'
import { KeyIdAlreadyRegisteredError } from '../crypto/errors.ts'
import { deviceRegisteredEvent } from '../events.ts'
import { endSurplus } from './end-surplus.ts'
import { fingerprintPrefix } from './fingerprint-prefix.ts'
import { fullLife } from './key-life.ts'
import * as store from './store.ts'

/**
 * Puts a key under an account: the only place that does. A key id belongs to one key for all time, so one that was
 * ever used by another key, another account or a key that is gone is refused; the live key itself is welcome again.
 */
export async function registerKey(tx: Tx, registration: Registration) {
  const { account, key, origin, channel, isPending = false, now } = registration
  const { permissions = null, succeeds: life = fullLife(now) } = registration
  const kind = permissions ? 'machine' : 'device'
  const { knownId = kind === 'device' ? randomUUID() : null } = registration
  const { fingerprint } = key
  // A public key that is live elsewhere would let its owner act as this account without knowing. One that is a
  // machine's here would have more than was chosen for that.
  await store.lockFingerprint(tx, fingerprint)
  if (await store.isLiveElsewhere(tx, { fingerprint, userId: account.userId, kind })) {
    throw new KeyIdAlreadyRegisteredError()
  }
  const inserted = await store.insertKey(tx, {
    ...key,
    ...life,
    kind,
    permissions: permissions && [...permissions],
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

/** The client did not hear the first answer and asks again; an expired key that is not bound gets its life back. */
async function registerAgain(
  tx: Tx,
  { account, key, isPending, now }: Registration,
  life: KeyLife & { knownId: string | null },
) {
  const { userId } = account
  const live = isPending
    ? await store.findPending(tx, { ...key, userId })
    : await store.extendActive(tx, { ...key, ...life, userId, now })
  if (!live) throw new KeyIdAlreadyRegisteredError()
  const { expiresAt, knownId } = live
  return { keyId: key.keyId, expiresAt, knownId, isNew: false as const }
}

/** Says that a key can sign from now on. */
export async function tellOfDevice(key: store.KeyRow, channel: string) {
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
