import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createPublicKeyCache } from './verify-signature.ts'

const newPublicKey = () =>
  generateKeyPairSync('ec', { namedCurve: 'P-256' })
    .publicKey.export({ format: 'der', type: 'spki' })
    .toString('base64')

describe('createPublicKeyCache', () => {
  it('parses a key once', () => {
    const keyOf = createPublicKeyCache()
    const publicKey = newPublicKey()

    const key = keyOf(publicKey)

    expect(key.export({ format: 'der', type: 'spki' }).toString('base64')).toBe(publicKey)
    expect(keyOf(publicKey)).toBe(key)
  })

  it('keeps no more than its limit', () => {
    const keyOf = createPublicKeyCache({ limit: 10 })
    const publicKeys = Array.from({ length: 40 }, newPublicKey)
    const keys = publicKeys.map(keyOf)

    // Asked again from the newest on, so that what is looked at pushes out what was looked at.
    const kept = publicKeys.toReversed().filter((publicKey) => keys.includes(keyOf(publicKey)))

    expect(kept.length).toBeGreaterThanOrEqual(5)
    expect(kept.length).toBeLessThanOrEqual(10)
  })

  it('keeps a key in use while others come and go', () => {
    const keyOf = createPublicKeyCache({ limit: 4 })
    const publicKey = newPublicKey()
    const key = keyOf(publicKey)

    for (let other = 0; other < 20; other++) {
      keyOf(newPublicKey())
      expect(keyOf(publicKey)).toBe(key)
    }
  })
})
