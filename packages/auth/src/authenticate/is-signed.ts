import { createPublicKey, generateKeyPairSync, randomBytes } from 'node:crypto'
import { verifySignature } from '../crypto/jws.ts'
import type { PublicKeys } from '../crypto/public-key-cache.ts'
import type { ParsedRequestJwt } from '../crypto/request-jwt.ts'
import type { CallerRow } from './caller-row.ts'

/** Keys that have signed nothing. */
export const nobodysKeys = {
  ES256: {
    key: generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey,
    algorithm: 'ES256',
  },
  RS256: { key: nobodysRsaKey(), algorithm: 'RS256' },
} as const

/** Whether a live key signed it. For a key that is not there as much work is done as for one that is. */
export function isSigned(
  jwt: ParsedRequestJwt,
  row: CallerRow | null,
  publicKeys: PublicKeys,
): row is CallerRow {
  // A live key of the other algorithm is as good as none, and must not be told from none by the time either.
  if (row?.state !== 'active' || row.algorithm !== jwt.algorithm) {
    verifySignature(jwt, nobodysKeys[jwt.algorithm])
    return false
  }
  return verifySignature(jwt, { key: publicKeys(row.publicKey), algorithm: row.algorithm })
}

/** A modulus that nobody has factors of: making a pair would take a tenth of a second of every start. */
function nobodysRsaKey() {
  const modulus = Buffer.concat([Buffer.of(0xff), randomBytes(254), Buffer.of(0x01)])
  const key = { kty: 'RSA', n: modulus.toString('base64url'), e: 'AQAB' }
  return createPublicKey({ key, format: 'jwk' })
}
