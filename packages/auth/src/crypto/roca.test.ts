import { createPublicKey, randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { rocaModulus } from './testing/spki-keys.ts'
import { isRoca } from './weak-keys.ts'

describe('isRoca', () => {
  it('knows a modulus of the flawed library', () => {
    expect(isRoca(rocaModulus)).toBe(true)
  })

  it('takes every other modulus', () => {
    for (const change of [2n, 4n, 1n << 64n]) expect(isRoca(rocaModulus + change)).toBe(false)
    for (let round = 0; round < 1000; round++) {
      expect(isRoca(BigInt(`0x${randomBytes(256).toString('hex')}`) | 1n)).toBe(false)
    }
  })

  it('tests a modulus that OpenSSL takes', () => {
    const n = Buffer.from(rocaModulus.toString(16), 'hex').toString('base64url')

    const key = createPublicKey({ key: { kty: 'RSA', n, e: 'AQAB' }, format: 'jwk' })

    expect(key.asymmetricKeyDetails?.modulusLength).toBe(2048)
  })
})
