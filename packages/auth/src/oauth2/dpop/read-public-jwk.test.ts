import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { rocaModulus } from '../../crypto/testing/spki-keys.ts'
import { createTestKey } from '../../testing.ts'
import { readPublicJwk } from './read-public-jwk.ts'
import { ec, jwkOf, rsa } from './testing/test-proof.ts'

const p256 = jwkOf(ec.publicKey)
const rsa2048 = jwkOf(rsa.publicKey)
const base64url = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url')
const bytesOf = (member = '') => Buffer.from(member, 'base64url')
/** An RSA key with an odd modulus of that many bytes. It can't sign, but reading can't tell. */
const rsaOf = (length: number) => ({ ...rsa2048, n: base64url(Buffer.alloc(length, 0xff)) })
const zeroInFront = (member?: string) => base64url(Buffer.concat([Buffer.of(0), bytesOf(member)]))

describe('readPublicJwk', () => {
  it('has the thumbprint of RFC 7638, section 3.1', () => {
    const n =
      '0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjBZCiFV4n3oknjhMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0zgdAZHzu6qMQvRL5hajrn1n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-kEgU8awapJzKnqDKgw'
    const key = readPublicJwk({ kty: 'RSA', n, e: 'AQAB', alg: 'RS256', kid: '2011-04-29' })

    expect(key?.thumbprint).toBe('NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs')
  })

  it.each(['ES256', 'RS256'] as const)(
    'has the fingerprint that an %s device key is registered with',
    async (algorithm) => {
      const { registration } = await createTestKey(algorithm)
      const der = Buffer.from(registration.publicKey, 'base64')
      const jwk = jwkOf(createPublicKey({ key: der, format: 'der', type: 'spki' }))

      const { fingerprint } = registration
      expect(readPublicJwk(jwk)).toMatchObject({ algorithm, fingerprint })
    },
  )

  it('does not ask what else is said of a key', () => {
    const said = { use: 'sig', key_ops: ['verify'], ext: true, alg: 'ES256', kid: 'a' }

    expect(readPublicJwk({ ...p256, ...said })).toEqual(readPublicJwk(p256))
    expect(readPublicJwk(rsaOf(512))).not.toBeNull()
  })

  it.each([
    ['nothing', undefined],
    ['null', null],
    ['a text', JSON.stringify(p256)],
    ['a list', [p256]],
    ['no member', {}],
    ['a private P-256 key', jwkOf(ec.privateKey)],
    ['a private RSA key', jwkOf(rsa.privateKey)],
    ...['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'].map((name): [string, unknown] => [
      `the private member ${name}`,
      { ...rsa2048, [name]: 'AQAB' },
    ]),
    ['a private member that is empty', { ...p256, d: '' }],
    ['a symmetric key', { kty: 'oct', k: 'AQAB' }],
    ['a key of an unknown type', { ...p256, kty: 'XX' }],
    ['the type in lower case', { ...p256, kty: 'ec' }],
    ['no type', { ...p256, kty: undefined }],
    ['an Ed25519 key', jwkOf(generateKeyPairSync('ed25519').publicKey)],
    ['a P-384 key', jwkOf(generateKeyPairSync('ec', { namedCurve: 'P-384' }).publicKey)],
    ['secp256k1 for P-256', { ...p256, crv: 'secp256k1' }],
    ['no curve', { ...p256, crv: undefined }],
    ['no y', { ...p256, y: undefined }],
    ['a list for y', { ...p256, y: [p256.y] }],
    ['a point that is not on the curve', { ...p256, y: p256.x }],
    ['a zero in front of x', { ...p256, x: zeroInFront(p256.x) }],
    ['x in base64', { ...p256, x: `${p256.x}=` }],
    ['x with white space', { ...p256, x: `${p256.x}\n` }],
    ['RSA of 1024 bits', rsaOf(128)],
    ['RSA with e = 3', { ...rsa2048, e: 'Aw' }],
    ['RSA with e = 1', { ...rsa2048, e: 'AQ' }],
    ['a zero in front of e', { ...rsa2048, e: 'AAEAAQ' }],
    ['a zero in front of n', { ...rsa2048, n: zeroInFront(rsa2048.n) }],
    ['n of 4104 bits', rsaOf(513)],
    ['an even n', { ...rsa2048, n: base64url(Buffer.alloc(256, 0xfe)) }],
    ['n of no bytes', { ...rsa2048, n: '' }],
    [
      'n as a flawed chip makes it',
      { ...rsa2048, n: base64url(Buffer.from(rocaModulus.toString(16), 'hex')) },
    ],
  ])('refuses %s', (_, jwk) => {
    expect(readPublicJwk(jwk)).toBeNull()
  })

  it('refuses stray bits: one key has one thumbprint', () => {
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    const stray = (member = '') =>
      `${member.slice(0, -1)}${alphabet[alphabet.indexOf(member.at(-1) ?? '') + 1]}`

    expect(bytesOf(stray(p256.x))).toEqual(bytesOf(p256.x))
    expect(readPublicJwk({ ...p256, x: stray(p256.x) })).toBeNull()
    expect(bytesOf(stray(rsa2048.n))).toEqual(bytesOf(rsa2048.n))
    expect(readPublicJwk({ ...rsa2048, n: stray(rsa2048.n) })).toBeNull()
  })
})
