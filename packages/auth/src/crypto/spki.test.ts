import { createHash, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { HttpError } from '@svc/core/contract'
import { describe, expect, it } from 'vitest'
import { readPublicKey } from './public-key.ts'
import { opensslKeys } from './testing/openssl-keys.ts'
import {
  absent,
  bitString,
  der,
  ec,
  ecOnP256,
  hex,
  integer,
  oid,
  rocaModulus,
  rsa,
  rsaEncryption,
  sequence,
  spki,
} from './testing/spki-keys.ts'

type Algorithm = 'ES256' | 'RS256'

const spkiOf = (key: KeyObject) => key.export({ format: 'der', type: 'spki' })
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

const curve = (namedCurve: string) => spkiOf(generateKeyPairSync('ec', { namedCurve }).publicKey)

const p256 = curve('P-256')
const rsa2048 = spkiOf(generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey)
const [x, y] = [p256.subarray(27, 59), p256.subarray(59)]
const modulus = rsa2048.subarray(33, 289)
const n = BigInt(`0x${modulus.toString('hex')}`)

function read(publicKey: string | Buffer, algorithm: Algorithm, fingerprint?: string) {
  const text = typeof publicKey === 'string' ? publicKey : publicKey.toString('base64')
  return readPublicKey({
    publicKey: text,
    algorithm,
    fingerprint: fingerprint ?? sha256(Buffer.from(text, 'base64')),
  })
}

function refusalOf(...given: Parameters<typeof read>) {
  try {
    read(...given)
  } catch (error) {
    if (error instanceof HttpError) return error
    throw error
  }
  return null
}

const bytesOf = (...parts: (Uint8Array | string)[]) =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? hex(part) : part)))

const { publicKey: ed25519 } = generateKeyPairSync('ed25519')
const { publicKey: ed448 } = generateKeyPairSync('ed448')
const { publicKey: x25519 } = generateKeyPairSync('x25519')
const rsaNumbers = sequence(integer(n), integer(65_537n))

const otherTypes: [what: string, algorithm: Algorithm, publicKey: Buffer][] = [
  ['a P-256 key declared RS256', 'RS256', p256],
  ['an RSA key declared ES256', 'ES256', rsa2048],
  ['secp256k1', 'ES256', curve('secp256k1')],
  ['P-224', 'ES256', curve('secp224r1')],
  ['P-384', 'ES256', curve('P-384')],
  ['P-521', 'ES256', curve('P-521')],
  ['brainpoolP256r1', 'ES256', curve('brainpoolP256r1')],
  ['Ed25519', 'ES256', spkiOf(ed25519)],
  ['Ed448', 'ES256', spkiOf(ed448)],
  ['X25519', 'ES256', spkiOf(x25519)],
  ['P-384 declared RS256', 'RS256', curve('P-384')],
  ['secp256k1 declared RS256', 'RS256', curve('secp256k1')],
  ['Ed25519 declared RS256', 'RS256', spkiOf(ed25519)],
  ['the OID of RSA-PSS', 'RS256', spki(sequence(oid('2a864886f70d01010a')), rsaNumbers)],
  ['the OID of RSAES-OAEP', 'RS256', spki(sequence(oid('2a864886f70d010107')), rsaNumbers)],
  ['the OID of DSA', 'RS256', spki(sequence(oid('2a8648ce380401')), integer(n))],
  ['the OID of ECDH', 'ES256', spki(sequence(oid('2b8104010c')), p256.subarray(26))],
  ['a curve without parameters', 'ES256', spki(sequence(oid('2a8648ce3d0201')), p256.subarray(26))],
  ['a curve of NULL', 'ES256', spki(sequence(oid('2a8648ce3d0201'), absent), p256.subarray(26))],
  ['no key at all under another OID', 'ES256', sequence(sequence(oid('2a03')))],
]

// Curve parameters of P-256, written out instead of named.
const prime = 2n ** 256n - 2n ** 224n + 2n ** 192n + 2n ** 96n - 1n
const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n
const b = '5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604b'
const generator =
  '046b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c2964fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5'
const explicitCurve = sequence(
  integer(1n),
  sequence(oid('2a8648ce3d0101'), integer(prime)),
  sequence(der(0x04, hex((prime - 3n).toString(16))), der(0x04, hex(b))),
  der(0x04, hex(generator)),
  integer(order),
  integer(1n),
)

// The point with x = 0, whose x can also be written as the prime.
const rootOfB = power(BigInt(`0x${b}`), (prime + 1n) / 4n)

function power(base: bigint, exponent: bigint): bigint {
  if (exponent === 0n) return 1n
  const half = power((base * base) % prime, exponent / 2n)
  return exponent % 2n === 1n ? (half * base) % prime : half
}

const word = (value: bigint) => hex(value.toString(16).padStart(64, '0'))
const wrongY = bytesOf(y.subarray(0, 31), Buffer.from([(y[31] ?? 0) ^ 1]))
const parity = (y[31] ?? 0) & 1

const badPoints: [what: string, publicKey: Buffer][] = [
  ['a compressed point', ec(bytesOf(Buffer.from([2 + parity]), x))],
  ['a hybrid point', ec(bytesOf(Buffer.from([6 + parity]), x, y))],
  ['a hybrid point of the other sign', ec(bytesOf(Buffer.from([7 - parity]), x, y))],
  ['an explicit curve', spki(sequence(oid('2a8648ce3d0201'), explicitCurve), p256.subarray(26))],
  ['the point at infinity', ec(hex('00'))],
  ['the point at infinity, padded to its length', ec(Buffer.alloc(65))],
  ['x and y of zero', ec(bytesOf('04', Buffer.alloc(64)))],
  ['a point off the curve', ec(bytesOf('04', x, wrongY))],
  ['a point of another curve', ec(curve('secp256k1').subarray(-65))],
  ['x not below the prime', ec(bytesOf('04', word(prime), word(rootOfB)))],
  ['y not below the prime', ec(bytesOf('04', x, hex('ff'.repeat(32))))],
  ['no point', ec(Buffer.alloc(0))],
  ['a point cut short', ec(bytesOf('04', x, y.subarray(0, 31)))],
  ['a point with a byte more', ec(bytesOf('04', x, y, '00'))],
  ['a point with a zero in front', ec(bytesOf('0004', x, y))],
  ['unused bits', sequence(ecOnP256, bitString(bytesOf('04', x, y), 1))],
  ['an octet string instead of a bit string', sequence(ecOnP256, der(0x04, bytesOf('0004', x, y)))],
  ['parameters after the curve', spki(sequence(ecOnP256.subarray(2), absent), p256.subarray(26))],
  ['a trailing byte', bytesOf(p256, '00')],
  ['a second key after it', bytesOf(p256, p256)],
  ['a trailing NULL inside', sequence(ecOnP256, bitString(bytesOf('04', x, y)), absent)],
  ['a byte too few', p256.subarray(0, 90)],
  ['a long form of the outer length', bytesOf('308159', p256.subarray(2))],
  ['a longer form of the outer length', bytesOf('30820059', p256.subarray(2))],
  ['the longest form of the outer length', bytesOf('308400000059', p256.subarray(2))],
  ['an indefinite length', bytesOf('3080', p256.subarray(2), '0000')],
  ['a reserved form of the outer length', bytesOf('30ff', p256.subarray(2))],
  [
    'a long form of an inner length',
    sequence(bytesOf('308113', ecOnP256.subarray(2)), bitString(bytesOf('04', x, y))),
  ],
  ['a long form of the key’s length', sequence(ecOnP256, bytesOf('03814200', p256.subarray(26)))],
  ['a set instead of a sequence', bytesOf('31', p256.subarray(1))],
  ['the bare point', bytesOf('04', x, y)],
  [
    'a private key',
    generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({
      format: 'der',
      type: 'pkcs8',
    }),
  ],
  [
    'PEM',
    Buffer.from(
      createPublicKey({ key: p256, format: 'der', type: 'spki' }).export({
        format: 'pem',
        type: 'spki',
      }),
    ),
  ],
  ['a JWK', Buffer.from(JSON.stringify({ kty: 'EC', crv: 'P-256', x: '', y: '' }))],
  ['one byte', hex('30')],
  ['an empty sequence', hex('3000')],
]

const top = (bits: bigint) => (1n << (bits - 1n)) + 1n
const rsaWith = (numbers: Uint8Array) => spki(rsaEncryption, numbers)
const e = integer(65_537n)

const badRsaKeys: [what: string, publicKey: Buffer][] = [
  ['512 bits', rsa(top(512n))],
  ['1024 bits', rsa(top(1024n))],
  ['2047 bits', rsa(top(2047n))],
  ['4097 bits', rsa(top(4097n))],
  ['8192 bits', rsa(top(8192n))],
  ['e = 0', rsa(n, 0n)],
  ['e = 1, which makes any text a signature', rsa(n, 1n)],
  ['e = 2', rsa(n, 2n)],
  ['e = 3', rsa(n, 3n)],
  ['e = 65536', rsa(n, 65_536n)],
  ['e = 65539', rsa(n, 65_539n)],
  ['an e of 64 bits', rsa(n, 2n ** 63n + 1n)],
  ['an e as long as the modulus', rsa(n, n - 2n)],
  ['e with a zero in front', rsaWith(sequence(integer(n), hex('020400010001')))],
  ['a negative e', rsaWith(sequence(integer(n), hex('0203ff0001')))],
  ['an even modulus', rsa(n - 1n)],
  ['a modulus with a zero in front', rsaWith(sequence(der(0x02, hex('0000'), modulus), e))],
  ['a negative modulus', rsaWith(sequence(der(0x02, modulus), e))],
  ['a modulus of zero', rsa(0n)],
  ['a modulus of zeros', rsaWith(sequence(der(0x02, Buffer.alloc(257)), e))],
  ['a modulus made by the ROCA library', rsa(rocaModulus)],
  ['PKCS #1 without SPKI', rsaNumbers],
  ['no parameters', spki(sequence(oid('2a864886f70d010101')), rsaNumbers)],
  ['other parameters', spki(sequence(oid('2a864886f70d010101'), sequence()), rsaNumbers)],
  ['numbers the other way round', rsaWith(sequence(e, integer(n)))],
  ['a third number', rsaWith(sequence(integer(n), e, integer(1n)))],
  ['bytes after the numbers', rsaWith(bytesOf(rsaNumbers, absent))],
  ['unused bits', sequence(rsaEncryption, bitString(rsaNumbers, 4))],
  ['a trailing byte', bytesOf(rsa2048, '00')],
  ['a byte too few', rsa2048.subarray(0, -1)],
  ['a long form of the outer length', bytesOf('3083000122', rsa2048.subarray(4))],
  ['a long form of e’s length', rsaWith(sequence(integer(n), hex('028103010001')))],
]

const text = p256.toString('base64')
// One padding character leaves two bits over; the last letter holds them.
const strayBits = text.replace(
  /.(==?)$/,
  (end) => `${String.fromCharCode(end.charCodeAt(0) + 1)}${end.slice(1)}`,
)
const urlAlphabet = rsa2048.toString('base64').replaceAll('+', '-').replaceAll('/', '_')

// Within the limit it would be a key of another type.
const longKey = spki(sequence(oid('2b6570')), Buffer.alloc(1522)).toString('base64')

const badTexts: [what: string, publicKey: string, algorithm: Algorithm][] = [
  ['nothing', '', 'ES256'],
  ['no padding', text.replace(/=+$/, ''), 'ES256'],
  ['padding too much', `${text}=`, 'ES256'],
  ['stray bits in the last character', strayBits, 'ES256'],
  ['the URL alphabet', urlAlphabet, 'RS256'],
  ['a space in front', ` ${text}`, 'ES256'],
  ['a line feed at the end', `${text}\n`, 'ES256'],
  ['a line break inside', `${text.slice(0, 64)}\r\n${text.slice(64)}`, 'ES256'],
  ['a NUL', `${text}\0`, 'ES256'],
  ['a letter that is not ASCII', text.replace('M', 'М'), 'ES256'],
  ['hex', p256.toString('hex'), 'ES256'],
  ['words', 'not a key', 'ES256'],
  ['a list of keys', `${text},${text}`, 'ES256'],
  ['2052 characters', longKey, 'ES256'],
  ['a megabyte', 'A'.repeat(1 << 20), 'RS256'],
]

describe('readPublicKey', () => {
  const webCryptoKeys: [string, Algorithm, EcKeyGenParams | RsaHashedKeyGenParams][] = [
    ['P-256', 'ES256', { name: 'ECDSA', namedCurve: 'P-256' }],
    ...[2048, 3072].map((modulusLength): [string, Algorithm, RsaHashedKeyGenParams] => [
      `RSA of ${modulusLength} bits`,
      'RS256',
      {
        name: 'RSASSA-PKCS1-v1_5',
        modulusLength,
        publicExponent: new Uint8Array([1, 0, 1]),
        hash: 'SHA-256',
      },
    ]),
  ]

  it.each(webCryptoKeys)('takes %s as WebCrypto exports it', async (_, algorithm, parameters) => {
    const { publicKey } = await crypto.subtle.generateKey(parameters, false, ['sign', 'verify'])
    const exported = Buffer.from(await crypto.subtle.exportKey('spki', publicKey))

    expect(read(exported, algorithm)).toEqual({
      publicKey: exported.toString('base64'),
      algorithm,
      fingerprint: sha256(exported),
    })
  })

  it.each([
    ['P-256', 'ES256', p256],
    ['RSA of 2048 bits', 'RS256', rsa2048],
  ] as const)('takes %s as node exports it', (_, algorithm, exported) => {
    expect(read(exported, algorithm).fingerprint).toBe(sha256(exported))
  })

  it.each(opensslKeys)('takes %s as OpenSSL writes it', (_, algorithm, publicKey, fingerprint) => {
    expect(read(publicKey, algorithm, fingerprint)).toEqual({ publicKey, algorithm, fingerprint })
  })

  it('takes every P-256 and RSA key, with any bits', () => {
    for (let round = 0; round < 50; round++) expect(refusalOf(curve('P-256'), 'ES256')).toBeNull()
    for (const bits of [2048n, 2049n, 2056n, 3072n, 4089n, 4095n, 4096n]) {
      expect(refusalOf(rsa(top(bits)), 'RS256')).toBeNull()
    }
  })

  it('hands on nothing but the material', () => {
    const given = { publicKey: text, algorithm: 'ES256' as const, fingerprint: sha256(p256) }

    expect(readPublicKey({ ...given, keyId: 'key-12345678' } as typeof given)).toEqual(given)
  })

  it.each(otherTypes)('calls %s another type of key', (_, algorithm, publicKey) => {
    expect(refusalOf(publicKey, algorithm)).toMatchObject({
      name: 'KeyAlgorithmMismatchError',
      status: 400,
    })
  })

  it.each(badPoints)('refuses a P-256 key with %s', (_, publicKey) => {
    expect(refusalOf(publicKey, 'ES256')?.status).toBe(400)
  })

  it.each(badRsaKeys)('refuses an RSA key with %s', (_, publicKey) => {
    expect(refusalOf(publicKey, 'RS256')?.status).toBe(400)
  })

  it.each(badTexts)('refuses base64 with %s (A-022)', (_, publicKey, algorithm) => {
    expect(refusalOf(publicKey, algorithm, sha256(p256))).toMatchObject({
      name: 'ValidationError',
      fields: [{ path: 'body.publicKey' }],
    })
  })

  it('refuses a malformed key as that, with any declared algorithm', () => {
    for (const algorithm of ['ES256', 'RS256'] as const) {
      expect(refusalOf(bytesOf(p256, '00'), algorithm)?.name).toBe('ValidationError')
      expect(refusalOf(rsa2048.subarray(0, -1), algorithm)?.name).toBe('ValidationError')
    }
  })

  it('refuses a P-256 key with any one bit changed', () => {
    for (let bit = 0; bit < p256.length * 8; bit++) {
      const changed = Buffer.from(p256)
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      expect(refusalOf(changed, 'ES256')?.status).toBe(400)
    }
  })

  it('refuses a key that is cut short anywhere, with no other failure', () => {
    for (const key of [p256, rsa2048]) {
      for (let length = 0; length < key.length; length++) {
        expect(refusalOf(key.subarray(0, length), 'ES256')?.name).toBe('ValidationError')
        expect(refusalOf(key.subarray(0, length), 'RS256')?.name).toBe('ValidationError')
      }
    }
  })

  it('says nothing of what was sent', () => {
    const refusal = refusalOf(bytesOf(p256, '00'), 'ES256')
    const said = JSON.stringify([refusal?.message, refusal?.publicFields])

    expect(said).not.toContain(text.slice(40, 60))
  })
})

describe('the fingerprint', () => {
  const right = sha256(p256)
  const jwk = createPublicKey({ key: p256, format: 'der', type: 'spki' }).export({ format: 'jwk' })

  it.each([
    ['in upper case', right.toUpperCase()],
    ['of another key', sha256(rsa2048)],
    ['of the base64 text', createHash('sha256').update(text).digest('hex')],
    ['of the JWK', createHash('sha256').update(JSON.stringify(jwk)).digest('hex')],
    ['of the bare point', sha256(p256.subarray(26))],
    ['in base64url', createHash('sha256').update(p256).digest('base64url')],
    ['of another hash', createHash('sha512').update(p256).digest('hex')],
    ['cut short', right.slice(0, 63)],
    ['with a character more', `${right}0`],
    ['with a space', `${right} `],
    ['of nothing', ''],
    ['of 129 characters', right.padEnd(129, '0')],
  ])('is refused %s (A-023)', (_, fingerprint) => {
    expect(refusalOf(p256, 'ES256', fingerprint)).toMatchObject({
      name: 'InvalidKeyFingerprintError',
      status: 400,
    })
  })

  it('is refused before hashing when it is too long', () => {
    // Such a key would be refused as malformed if it were parsed.
    expect(refusalOf('not a key', 'ES256', '0'.repeat(129))?.name).toBe(
      'InvalidKeyFingerprintError',
    )
  })
})
