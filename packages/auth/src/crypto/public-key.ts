import { createHash, createPublicKey } from 'node:crypto'
import { ValidationError } from '@svc/core/contract'
import type { KeyAlgorithm } from './contract.ts'
import { InvalidKeyFingerprintError, KeyAlgorithmMismatchError } from './errors.ts'
import { isRoca } from './weak-keys.ts'

export interface DeviceKeyMaterial {
  /** SPKI in DER, in standard base64. */
  readonly publicKey: string
  readonly algorithm: KeyAlgorithm
  /** SHA-256 of the DER bytes, in lowercase hex. */
  readonly fingerprint: string
}

// An RSA key of 4096 bits takes 736 characters. Longer input is refused before it is parsed.
const longestPublicKey = 2048
const longestFingerprint = 128

/**
 * The only function that checks the material of a device key. It doesn't ask OpenSSL to parse a
 * key, because OpenSSL accepts trailing bytes, compressed points, long forms of lengths and RSA
 * keys with e = 1, which sign without a private key.
 */
export function readPublicKey({
  publicKey,
  algorithm,
  fingerprint,
}: DeviceKeyMaterial): DeviceKeyMaterial {
  if (fingerprint.length > longestFingerprint) throw new InvalidKeyFingerprintError()
  const der = decode(publicKey)
  if (declaredType(der) !== algorithm) throw new KeyAlgorithmMismatchError()
  if (!(algorithm === 'ES256' ? isP256(der) : isRsa(der))) throw malformed()
  if (createHash('sha256').update(der).digest('hex') !== fingerprint) {
    throw new InvalidKeyFingerprintError()
  }
  return { publicKey, algorithm, fingerprint }
}

function decode(publicKey: string) {
  if (publicKey.length > longestPublicKey) throw malformed()
  const der = Buffer.from(publicKey, 'base64')
  // Buffer skips what is not base64. One key must have one spelling, because keys are compared by
  // their text.
  if (der.toString('base64') !== publicKey) throw malformed()
  return der
}

function malformed() {
  const message =
    'must be a public key as canonical DER (SPKI) in base64: P-256, or RSA of 2048 to 4096 bits with e = 65537'
  return new ValidationError({ fields: [{ path: 'body.publicKey', message }] })
}

const hex = (text: string) => Buffer.from(text, 'hex')

const ecOnP256 = hex('301306072a8648ce3d020106082a8648ce3d030107')
const rsaEncryption = hex('06092a864886f70d010101')

/**
 * The type of the key by its AlgorithmIdentifier; `other` is a type or a curve that no algorithm
 * here uses.
 */
function declaredType(der: Buffer): KeyAlgorithm | 'other' {
  const identifier = der.subarray(outerHeaderLength(der))
  if (startsWith(identifier, ecOnP256)) return 'ES256'
  const oid = identifier.subarray(2)
  if (identifier[0] !== 0x30 || oid[0] !== 0x06) throw malformed()
  return startsWith(oid, rsaEncryption) ? 'RS256' : 'other'
}

/** The length of the header of the outer SEQUENCE, which must span all bytes. */
function outerHeaderLength(der: Buffer) {
  const [tag, first = 0] = der
  const header = first < 0x80 ? 2 : first - 0x80 + 2
  const content = first < 0x80 ? first : longLength(der, header)
  if (tag !== 0x30 || der.length !== header + content) throw malformed()
  return header
}

/** A length of one or two bytes: no key within the limit has a longer one. */
function longLength(der: Buffer, header: number) {
  if (header === 3) return der[2] ?? 0
  if (header === 4) return (der[2] ?? 0) * 256 + (der[3] ?? 0)
  throw malformed()
}

const startsWith = (bytes: Buffer, start: Buffer) => bytes.subarray(0, start.length).equals(start)

// Up to and including the byte 04 of an uncompressed point: x and y follow, 32 bytes each.
const p256Prefix = hex('3059301306072a8648ce3d020106082a8648ce3d03010703420004')

export function isP256(der: Buffer) {
  return der.length === 91 && startsWith(der, p256Prefix) && isOnCurve(der)
}

function isOnCurve(der: Buffer) {
  try {
    createPublicKey({ key: der, format: 'der', type: 'spki' })
    return true
  } catch {
    return false
  }
}

/** The key with a point's coordinates, which have 32 bytes each. */
export const p256Key = (x: Buffer, y: Buffer) => Buffer.concat([p256Prefix, x, y])

/** Builds the only DER that an RSA key with this modulus and e = 65537 can have, and compares. */
export function isRsa(der: Buffer) {
  const integer = der.subarray(rsaOverhead - exponent.length, -exponent.length)
  if (integer.length < 256 || integer.length > 513 || !isShortest(integer)) return false
  return der.equals(rsaKeyOf(integer)) && isSafeModulus(BigInt(`0x${integer.toString('hex')}`))
}

const exponent = hex('0203010001')
// Four headers of four bytes, fifteen bytes of AlgorithmIdentifier, one that counts unused bits, and the exponent.
const rsaOverhead = 37

/** The key with this modulus, without leading zero bytes, and e = 65537. */
export function rsaKey(modulus: Buffer) {
  const [first = 0] = modulus
  return rsaKeyOf(first < 0x80 ? modulus : Buffer.concat([hex('00'), modulus]))
}

function rsaKeyOf(integer: Buffer) {
  const numbers = tlv(0x30, tlv(0x02, integer), exponent)
  return tlv(0x30, hex('300d06092a864886f70d0101010500'), tlv(0x03, hex('00'), numbers))
}

/**
 * A DER value of 256 to 65535 bytes, the range of every part of an RSA key of 2048 bits or more.
 */
function tlv(tag: number, ...parts: Buffer[]) {
  const content = Buffer.concat(parts)
  return Buffer.concat([
    Buffer.from([tag, 0x82, content.length >> 8, content.length & 0xff]),
    content,
  ])
}

/** Whether a DER integer is positive and has no needless leading zero byte. */
function isShortest([first = 0, second = 0]: Buffer) {
  return first === 0 ? second >= 0x80 : first < 0x80
}

const smallest = 1n << 2047n
const tooLarge = 1n << 4096n

function isSafeModulus(modulus: bigint) {
  const isOdd = (modulus & 1n) === 1n
  return modulus >= smallest && modulus < tooLarge && isOdd && !isRoca(modulus)
}
