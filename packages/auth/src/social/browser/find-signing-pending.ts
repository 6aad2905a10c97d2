import type { RawContext } from '@svc/core'
import { authOf } from '../../auth.ts'
import { checkSigned } from '../../authenticate/check-signed.ts'
import type { NewDeviceKey } from '../../capability/key-fields.ts'
import { parseRequestJwt } from '../../crypto/request-jwt.ts'
import { verifySignature } from '../../crypto/verify-signature.ts'
import { OAuthPendingSessionError } from './errors.ts'
import { hashOfKey } from './pending.ts'
import { findPending, type PendingRow } from './store.ts'

/** Who waits with the key that has signed this request: whoever has read its id in a log cannot. */
export async function findSigningPending(raw: RawContext) {
  const auth = authOf(raw.server)
  const jwt = parseRequestJwt(raw.incoming.headersDistinct.authorization)
  if (!jwt) throw new OAuthPendingSessionError()
  const hash = hashOfKey(jwt.keyId)
  const pending = await findPending(auth.db, hash, auth.clock.now())
  const key = pending && keyOf(pending)
  if (!key) throw new OAuthPendingSessionError()
  const stored = { key: auth.publicKeys(key.publicKey), algorithm: key.algorithm }
  if (!verifySignature(jwt, stored)) throw new OAuthPendingSessionError()
  await checkSigned(raw, { auth, jwt })
  return { hash, pending, key }
}

function keyOf(pending: PendingRow): NewDeviceKey | null {
  const { publicKey, keyId, fingerprint, algorithm, deviceName, platform } = pending
  if (!publicKey || !keyId || !fingerprint || !algorithm) return null
  return {
    publicKey,
    keyId,
    fingerprint,
    algorithm,
    ...(deviceName !== null && { deviceName }),
    ...(platform !== null && { platform }),
  }
}
