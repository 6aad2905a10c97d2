import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { isEd25519Point } from './weak-keys.ts'

const hex = (text: string) => Buffer.from(text, 'hex')

describe('a point of Ed25519', () => {
  it('is every key that is generated', () => {
    for (let count = 0; count < 200; count++) {
      const { x = '' } = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' })
      expect(isEd25519Point(Buffer.from(x, 'base64url')), x).toBe(true)
    }
  })

  it.each([
    'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
    '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
    'fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025',
  ])('is a key of RFC 8032, section 7.1: %s', (key) => {
    expect(isEd25519Point(hex(key))).toBe(true)
  })

  // y = 2 has no x, y = 3 and 4 have one.
  it.each([
    [2, false],
    [3, true],
    [4, true],
    [7, false],
  ])('has an x: y = %i', (y, isPoint) => {
    const bytes = Buffer.alloc(32)
    bytes[0] = y
    expect(isEd25519Point(bytes)).toBe(isPoint)
  })
})
