import { generateKeyPairSync, type KeyObject, sign, type webcrypto } from 'node:crypto'
import { cbor, type Entries } from './test-cbor.ts'

export type TestAlgorithm = 'ES256' | 'EdDSA' | 'RS256'

interface Algorithm {
  alg: number
  hash: string | null
  generate: () => { publicKey: KeyObject; privateKey: KeyObject }
  /** What the key has in COSE besides its algorithm (RFC 9053, RFC 8230). */
  members: (jwk: webcrypto.JsonWebKey) => Entries
}

const algorithms: Record<TestAlgorithm, Algorithm> = {
  ES256: {
    alg: -7,
    hash: 'sha256',
    generate: () => generateKeyPairSync('ec', { namedCurve: 'P-256' }),
    members: ({ x, y }) => [
      [1, 2],
      [-1, 1],
      [-2, bytes(x)],
      [-3, bytes(y)],
    ],
  },
  EdDSA: {
    alg: -8,
    hash: null,
    generate: () => generateKeyPairSync('ed25519'),
    members: ({ x }) => [
      [1, 1],
      [-1, 6],
      [-2, bytes(x)],
    ],
  },
  RS256: {
    alg: -257,
    hash: 'sha256',
    generate: () => generateKeyPairSync('rsa', { modulusLength: 2048 }),
    members: ({ n, e }) => [
      [1, 3],
      [-1, bytes(n)],
      [-2, bytes(e)],
    ],
  },
}

export interface TestKey {
  alg: number
  /** COSE. */
  publicKey: Buffer
  sign: (data: Buffer) => Buffer
}

export function createTestKey(algorithm: TestAlgorithm): TestKey {
  const { alg, hash, generate, members } = algorithms[algorithm]
  const { publicKey, privateKey } = generate()
  return {
    alg,
    publicKey: cbor([[3, alg], ...members(publicKey.export({ format: 'jwk' }))]),
    sign: (data) => sign(hash, data, privateKey),
  }
}

function bytes(text = '') {
  return Buffer.from(text, 'base64url')
}
