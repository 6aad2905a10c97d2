import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { readKeyring } from './cipher.ts'

const older = randomBytes(32)
const newer = randomBytes(32)
const entry = (keyId: string, bytes: Buffer) => `${keyId}:${bytes.toString('base64')}`
const read = (text: string) => readKeyring({ SVC_AUTH_TOKEN_ENCRYPTION_KEYS: text })

describe('SVC_AUTH_TOKEN_ENCRYPTION_KEYS', () => {
  it('lists keys of 32 bytes, of which the first is the active one, and nothing malformed (A-080)', () => {
    const keyring = read(`${entry('2026-11', newer)}, ${entry('2025.old', older)}`)
    expect(keyring?.activeKeyId).toBe('2026-11')
    expect([...(keyring?.keys ?? [])].map(([keyId, key]) => [keyId, key.export()])).toEqual([
      ['2026-11', newer],
      ['2025.old', older],
    ])

    const good = entry('a', newer)
    for (const malformed of [
      'a',
      'a:',
      ':',
      newer.toString('base64'),
      `:${newer.toString('base64')}`,
      entry('a', randomBytes(31)),
      entry('a', randomBytes(33)),
      `a:${newer.toString('hex')}`,
      `a:${newer.toString('base64').replace('=', '')}`,
      `a:${newer.toString('base64url')}`,
      // Two bits that stand for nothing are set.
      `a:${'A'.repeat(42)}B=`,
      `a b:${newer.toString('base64')}`,
      `${'a'.repeat(65)}:${newer.toString('base64')}`,
      `a:${newer.toString('base64')}:b`,
      `${good},`,
      `,${good}`,
      `${good};${entry('b', older)}`,
      `${good},${entry('a', older)}`,
    ]) {
      expect(() => read(malformed), malformed).toThrow(/SVC_AUTH_TOKEN_ENCRYPTION_KEYS must/)
    }
  })

  it('is no keyring where it is not set', () => {
    expect(readKeyring({})).toBeNull()
  })

  it('says which entry is wrong, and shows none', () => {
    const secret = newer.toString('base64').slice(0, 40)
    expect(() => read(`${entry('a', older)},b:${secret}`)).toThrow('; entry 2 is not')
    expect(() => read(`a:${secret}`)).not.toThrow(secret)
  })
})
