import { createHash, generateKeyPairSync } from 'node:crypto'
import { rocaModulus } from '../../crypto/testing/spki-keys.ts'
import type { AuthenticationResponse } from '../fields.ts'
import { cbor, type Item } from './test-cbor.ts'

const hex = (text: string) => Buffer.from(text, 'hex')
const bytesOf = (value: bigint, length: number) => hex(value.toString(16).padStart(2 * length, '0'))
/** As Ed25519 writes numbers: the last byte first. */
const littleEndian = (value: bigint) => Buffer.from(bytesOf(value, 32).toReversed())

// The base point of P-256, of secp256k1 and of Ed25519: sound keys, to which one thing is done each.
const x = hex('6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296')
const y = hex('4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5')
const koblitzX = hex('79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798')
const koblitzY = hex('483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8')
const edPoint = hex('5866666666666666666666666666666666666666666666666666666666666666')
const p256 = 2n ** 256n - 2n ** 224n + 2n ** 192n + 2n ** 96n - 1n
const p25519 = 2n ** 255n - 19n
const signBit = 1n << 255n
// Of the points of order 8, as y: their x, and what is taken from the modulus, have the same.
const ofOrder8 = [
  hex('c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a'),
  hex('26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05'),
] as const

const { n = '' } = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey.export({
  format: 'jwk',
})
const modulus = Buffer.from(n, 'base64url')
const exponent = hex('010001')
const odd = (length: number) => bytesOf(2n ** BigInt(8 * length) - 1n, length)

type Changes = Record<number, Item | null>

/** A key with some of its members changed; null leaves one out. */
function changed(members: Record<number, Item>, changes: Changes) {
  const all = Object.entries({ ...members, ...changes })
  return cbor(all.flatMap(([label, value]) => (value == null ? [] : [[Number(label), value]])))
}

const ec = (changes: Changes = {}) => changed({ 1: 2, 3: -7, '-1': 1, '-2': x, '-3': y }, changes)
const ed = (changes: Changes = {}) => changed({ 1: 1, 3: -8, '-1': 6, '-2': edPoint }, changes)
const edAt = (point: Buffer) => ed({ '-2': point })
const rsa = (changes: Changes = {}) =>
  changed({ 1: 3, 3: -257, '-1': modulus, '-2': exponent }, changes)

export const soundKeys: readonly [name: string, key: Buffer][] = [
  ['P-256', ec()],
  ['Ed25519', ed()],
  ['RSA of 2048 bits', rsa()],
  ['RSA of 4096 bits', rsa({ '-1': odd(512) })],
]

/** Keys that no authenticator makes. Some sign without a private key, others cannot sign at all. */
export const oddKeys: readonly [name: string, key: Buffer][] = [
  [
    'a point that is not on the curve',
    ec({ '-3': bytesOf(BigInt(`0x${y.toString('hex')}`) + 1n, 32) }),
  ],
  ['the x of another point', ec({ '-2': bytesOf(2n, 32) })],
  ['the point (0, 0)', ec({ '-2': Buffer.alloc(32), '-3': Buffer.alloc(32) })],
  ['coordinates of all ones', ec({ '-2': odd(32), '-3': odd(32) })],
  ['an x that is the modulus', ec({ '-2': bytesOf(p256, 32) })],
  ['an x that is not reduced', ec({ '-2': bytesOf(p256 + 5n, 32) })],
  ['no y', ec({ '-3': null })],
  ['no x', ec({ '-2': null })],
  ['a compressed point', Buffer.concat([hex('a5010203262001215820'), x, hex('22f5')])],
  ['an x of 31 bytes', ec({ '-2': x.subarray(1) })],
  ['an x of 33 bytes', ec({ '-2': Buffer.concat([hex('00'), x]) })],
  ['a y of 33 bytes', ec({ '-3': Buffer.concat([hex('00'), y]) })],
  ['an empty x', ec({ '-2': Buffer.alloc(0) })],
  ['an x in text', ec({ '-2': x.toString('latin1') })],
  ['P-384 for ES256', ec({ '-1': 2, '-2': odd(48), '-3': odd(48) })],
  ['P-384 said of a point of P-256', ec({ '-1': 2 })],
  ['P-521 for ES256', ec({ '-1': 3, '-2': odd(66), '-3': odd(66) })],
  ['secp256k1 for ES256', ec({ '-1': 8, '-2': koblitzX, '-3': koblitzY })],
  ['secp256k1 said to be P-256', ec({ '-2': koblitzX, '-3': koblitzY })],
  ['ES256K', ec({ 3: -47, '-1': 8, '-2': koblitzX, '-3': koblitzY })],
  ['ES384 with P-256', ec({ 3: -35 })],
  ['EdDSA with P-256', ec({ 3: -8 })],
  ['RS256 with P-256', ec({ 3: -257 })],
  ['the type of Ed25519 with a point of P-256', ec({ 1: 1 })],
  ['the type of RSA with a point of P-256', ec({ 1: 3 })],
  ['no type', ec({ 1: null })],
  ['no algorithm', ec({ 3: null })],
  ['no curve', ec({ '-1': null })],
  ['an algorithm in text', ec({ 3: 'ES256' })],
  ['a type in text', ec({ 1: 'EC2' })],
  ['a curve in text', ec({ '-1': 'P-256' })],
  ['a key id', ec({ 2: hex('01') })],
  ['what it is for', ec({ 4: hex('02') })],
  ['a private key', ec({ '-4': odd(32) })],
  [
    'a member twice',
    Buffer.concat([hex('a6010203262001215820'), x, hex('225820'), y, hex('225820'), y]),
  ],
  [
    'a map without an end',
    Buffer.concat([hex('bf010203262001215820'), x, hex('225820'), y, hex('ff')]),
  ],
  [
    'fewer members than it announces',
    Buffer.concat([hex('a6010203262001215820'), x, hex('225820'), y]),
  ],
  [
    'a y that ends before its length',
    Buffer.concat([hex('a5010203262001215820'), x, hex('225820'), y.subarray(2)]),
  ],
  [
    'a length in more bytes than it needs',
    Buffer.concat([hex('a501020326200121590020'), x, hex('225820'), y]),
  ],
  [
    'an algorithm in more bytes than it needs',
    Buffer.concat([hex('a501020338062001215820'), x, hex('225820'), y]),
  ],
  ['a tag', Buffer.concat([hex('c1'), ec()])],
  ['the neutral point of Ed25519, which signs without a private key', edAt(littleEndian(1n))],
  ['the neutral point with a sign', edAt(littleEndian(1n | signBit))],
  ['the neutral point, not reduced', edAt(littleEndian(p25519 + 1n))],
  ['the point of order 2', edAt(littleEndian(p25519 - 1n))],
  ['a point of order 4', edAt(littleEndian(0n))],
  ['a point of order 4, the other', edAt(littleEndian(signBit))],
  ['a point of order 4, not reduced', edAt(littleEndian(p25519))],
  ['a point of order 8', edAt(ofOrder8[0])],
  ['a point of order 8, the other', edAt(ofOrder8[1])],
  ['a point of order 8 with a sign', edAt(Buffer.from([...ofOrder8[1].subarray(0, 31), 0x85]))],
  ['a y of Ed25519 that has no x', edAt(littleEndian(2n))],
  ['Ed25519 with 31 bytes', edAt(edPoint.subarray(1))],
  ['Ed25519 with 33 bytes', edAt(Buffer.concat([edPoint, hex('00')]))],
  ['Ed25519 with a y', ed({ '-3': y })],
  ['Ed25519 as ES256', ed({ 3: -7 })],
  ['Ed448 for EdDSA', ed({ '-1': 7, '-2': odd(57) })],
  ['X25519 for EdDSA', ed({ '-1': 4 })],
  [
    'names instead of numbers',
    cbor([
      [1, 'OKP'],
      [3, -8],
      [-1, 'Ed25519'],
      [-2, edPoint],
    ]),
  ],
  ['RSA of 512 bits', rsa({ '-1': odd(64) })],
  ['RSA of 1024 bits', rsa({ '-1': odd(128) })],
  ['RSA of 2047 bits', rsa({ '-1': bytesOf(2n ** 2047n - 1n, 256) })],
  ['RSA of 4104 bits', rsa({ '-1': odd(513) })],
  ['RSA of 8192 bits', rsa({ '-1': odd(1024) })],
  ['an empty modulus', rsa({ '-1': Buffer.alloc(0) })],
  ['a modulus of zero', rsa({ '-1': Buffer.alloc(256) })],
  ['an even modulus', rsa({ '-1': Buffer.concat([modulus.subarray(0, -1), hex('fe')]) })],
  ['a modulus with a zero before it', rsa({ '-1': Buffer.concat([hex('00'), modulus]) })],
  ['a modulus that can be factored', rsa({ '-1': bytesOf(rocaModulus, 256) })],
  ['no modulus', rsa({ '-1': null })],
  ['no exponent', rsa({ '-2': null })],
  ['an exponent of 1, which signs without a private key', rsa({ '-2': hex('01') })],
  ['an exponent of 0', rsa({ '-2': hex('00') })],
  ['an exponent of 2', rsa({ '-2': hex('02') })],
  ['an exponent of 3', rsa({ '-2': hex('03') })],
  ['an exponent of 65539', rsa({ '-2': hex('010003') })],
  ['an exponent with a zero before it', rsa({ '-2': hex('00010001') })],
  ['an exponent as long as the modulus', rsa({ '-2': modulus })],
  ['an exponent as a number', rsa({ '-2': 257 })],
  ['an empty exponent', rsa({ '-2': Buffer.alloc(0) })],
  ['the private half of RSA', rsa({ '-3': modulus })],
  ['RS1, with SHA-1', rsa({ 3: -65_535 })],
  ['RS512', rsa({ 3: -259 })],
  ['PS256', rsa({ 3: -37 })],
  ['RSA as ES256', rsa({ 3: -7 })],
  [
    'a symmetric key',
    cbor([
      [1, 4],
      [3, 5],
      [-1, odd(32)],
    ]),
  ],
  [
    'a symmetric key for ES256',
    cbor([
      [1, 4],
      [3, -7],
      [-1, odd(32)],
    ]),
  ],
  [
    'a symmetric key for RS256',
    cbor([
      [1, 4],
      [3, -257],
      [-1, odd(256)],
      [-2, exponent],
    ]),
  ],
  [
    'ML-DSA-44',
    cbor([
      [1, 7],
      [3, -48],
      [-1, odd(1312)],
    ]),
  ],
  ['an algorithm that is reserved', ec({ 3: 0 })],
  ['a key without members', cbor([])],
  ['a list', hex('80')],
  ['a number', hex('00')],
]

const sha256 = (data: Buffer) => createHash('sha256').update(data).digest()

/** Signatures that need no private key: for RSA with e = 1, and for the neutral point of Ed25519. */
export function forgeriesOf({ response }: AuthenticationResponse) {
  const client = Buffer.from(response.clientDataJSON, 'base64url')
  const signed = [Buffer.from(response.authenticatorData, 'base64url'), sha256(client)]
  const digest = sha256(Buffer.concat(signed))
  // RFC 8017, section 9.2: raised to the power of 1, this is itself.
  const sha256Info = hex('3031300d060960864801650304020105000420')
  const filling = Buffer.alloc(256 - 3 - sha256Info.length - digest.length, 0xff)
  const padded = Buffer.concat([hex('0001'), filling, hex('00'), sha256Info, digest])
  // RFC 8032: S·B = R + k·A holds for S = 0 and every k, if R and A are neutral.
  return [padded, Buffer.concat([littleEndian(1n), Buffer.alloc(32)])]
}
