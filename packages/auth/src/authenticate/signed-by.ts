import { createPublicKey, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto'
import type { CallerRow } from '../caller/caller-row.ts'
import type { ParsedRequestJwt } from '../crypto/request-jwt.ts'
import type { SignatureChecks } from '../crypto/signature-checks.ts'

/** Keys that have signed nothing, as keys are kept. */
export const nobodysKeys = {
  ES256: textOf(generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey),
  RS256: textOf(nobodysRsaKey()),
} as const

/** The row of the live key that signed it, or null. For a key that is not there as much work is done as for one that is. */
export async function signedBy(
  jwt: ParsedRequestJwt,
  row: CallerRow | null,
  signatures: SignatureChecks,
): Promise<CallerRow | null> {
  // A live key of the other algorithm is as good as none, and must not be told from none by the time either.
  const isLive = row?.state === 'active' && row.algorithm === jwt.algorithm
  const publicKey = isLive ? row.publicKey : nobodysKeys[jwt.algorithm]
  const isRight = await signatures.isRight(jwt, publicKey)
  return isLive && isRight ? row : null
}

/** A modulus that nobody has factors of: making a pair would take a tenth of a second of every start. */
function nobodysRsaKey() {
  const modulus = Buffer.concat([Buffer.of(0xff), randomBytes(254), Buffer.of(0x01)])
  const key = { kty: 'RSA', n: modulus.toString('base64url'), e: 'AQAB' }
  return createPublicKey({ key, format: 'jwk' })
}

function textOf(key: KeyObject) {
  return key.export({ format: 'der', type: 'spki' }).toString('base64')
}
