import { isEd25519Point, isP256, isRsa, p256Key, rsaKey } from '../crypto/crypto.ts'
import { type Cbor, type CborMap, readCbor } from './cbor.ts'

const headerBytes = 37
const flagsAt = 32
const hasCredential = 0x40
const hasExtensions = 0x80
const aaguidBytes = 16

/**
 * Reads authenticator data (WebAuthn Level 3, section 6.1) to its end, and returns the bytes of the credential's key.
 * Throws if bytes are missing or left over: the library accepts a key or an extension that was cut off.
 */
export function readAuthenticatorData(bytes: Buffer) {
  const flags = bytes.readUInt8(flagsAt)
  let end = headerBytes
  let key: Buffer | null = null
  if (flags & hasCredential) {
    const idAt = end + aaguidBytes + 2
    const keyAt = idAt + bytes.readUInt16BE(idAt - 2)
    end = readCbor(bytes, keyAt).end
    key = bytes.subarray(keyAt, end)
  }
  if (flags & hasExtensions) end = readCbor(bytes, end).end
  if (end !== bytes.length) throw new RangeError('It has another length than it says.')
  return { key }
}

/** The labels of COSE (RFC 9052, RFC 9053, RFC 8230). */
const kty = 1
const alg = 3
const [first, second, third] = [-1, -2, -3]

/**
 * ES256, EdDSA and RS256: every authenticator has one, and Windows Hello may have only the last.
 */
export const algorithms = [-7, -8, -257]

/**
 * Whether a passkey's key is of a type that we ask for, and as strong as a device's key must be. The library accepts a
 * point that is not on the curve, and an RSA key with e = 1, which signs without a private key.
 */
export function isSoundKey(cose: Buffer) {
  try {
    const { value, end } = readCbor(cose)
    return end === cose.length && value instanceof Map && isSound(value)
  } catch {
    return false
  }
}

function isSound(key: CborMap) {
  // Exactly these members: a private key has more.
  if (has(key, { [kty]: 2, [alg]: -7, [first]: 1 }, 5)) {
    const [x, y] = [key.get(second), key.get(third)]
    return isOf(32, x) && isOf(32, y) && isP256(p256Key(x, y))
  }
  if (has(key, { [kty]: 1, [alg]: -8, [first]: 6 }, 4)) {
    const point = key.get(second)
    return isOf(32, point) && isEd25519Point(point)
  }
  if (has(key, { [kty]: 3, [alg]: -257 }, 4)) {
    const [modulus, exponent] = [key.get(first), key.get(second)]
    if (!Buffer.isBuffer(modulus) || !Buffer.isBuffer(exponent)) return false
    // RFC 8230: no leading zero byte, and without the sign byte that DER adds.
    return exponent.equals(e) && modulus[0] !== 0 && isRsa(rsaKey(modulus))
  }
  return false
}

// 65537, the only exponent that is allowed for a device's key.
const e = Buffer.from('010001', 'hex')

function has(key: CborMap, members: Record<number, number>, size: number) {
  const wanted = Object.entries(members)
  return key.size === size && wanted.every(([label, value]) => key.get(Number(label)) === value)
}

function isOf(length: number, value: Cbor | undefined): value is Buffer {
  return Buffer.isBuffer(value) && value.length === length
}
