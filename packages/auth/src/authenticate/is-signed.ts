import { generateKeyPairSync } from 'node:crypto'
import type { PublicKeys } from '../crypto/public-key-cache.ts'
import { type ParsedRequestJwt, verifySignature } from '../crypto/request-jwt.ts'
import type { CallerRow } from './caller-row.ts'

const nobodysKey = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey

/** Whether a live key signed it. For a key that is not there as much work is done as for one that is. */
export function isSigned(
  jwt: ParsedRequestJwt,
  row: CallerRow | null,
  publicKeys: PublicKeys,
): row is CallerRow {
  if (row?.state !== 'active') {
    verifySignature(jwt, { key: nobodysKey, algorithm: 'ES256' })
    return false
  }
  return verifySignature(jwt, { key: publicKeys(row.publicKey), algorithm: row.algorithm })
}
