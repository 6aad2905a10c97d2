import { createCipheriv, createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import { array, assert, nat, property, string } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decrypt, decryptLegacy, encrypt, type Keyring } from './cipher.ts'

const newKeyring = (...keyIds: [string, ...string[]]): Keyring => ({
  activeKeyId: keyIds[0],
  keys: new Map(keyIds.map((keyId) => [keyId, createSecretKey(randomBytes(32))])),
})
const activating = (keyId: string, { keys }: Keyring): Keyring => ({
  activeKeyId: keyId,
  keys: new Map([[keyId, createSecretKey(randomBytes(32))], ...keys]),
})
const without = (keyId: string, { activeKeyId, keys }: Keyring): Keyring => ({
  activeKeyId,
  keys: new Map([...keys].filter(([other]) => other !== keyId)),
})

const text = string({ unit: 'binary', maxLength: 200 })
const boundTo = array(string({ unit: 'binary' }), { maxLength: 4 })
const keyring = newKeyring('2026.11')
const mine = ['totp', 'ada']
const secret = 'GEZDGNBVGY3TQOJQ'

/** Checks what every refusal must be, for any reason. */
function expectRefused(run: () => unknown, message: RegExp = /./) {
  expect(run).toThrow(expect.objectContaining({ name: 'UnreadableSecretError' }))
  expect(run).toThrow(message)
  expect(run).not.toThrow(secret)
}

const partsOf = (stored: string) => stored.split(':').slice(-3)
const bytesOf = (stored: string) =>
  Buffer.concat(partsOf(stored).map((part) => Buffer.from(part, 'base64url')))

/** As it is stored, with its bytes changed. What is left of them at the end is the tag. */
function changing(stored: string, change: (bytes: Buffer) => Buffer) {
  const bytes = change(bytesOf(stored))
  const end = Math.max(12, bytes.length - 16)
  const parts = [bytes.subarray(0, 12), bytes.subarray(12, end), bytes.subarray(end)]
  return ['enc:v2:2026.11', ...parts.map((part) => part.toString('base64url'))].join(':')
}

describe('a secret that is encrypted', () => {
  it('opens for what it is bound to, with any content', () => {
    const roundTrip = property(text, boundTo, (plaintext, owner) => {
      const stored = encrypt(keyring, plaintext, owner)
      expect(stored).toMatch(/^enc:v2:2026\.11:[\w-]{16}:[\w-]*:[\w-]{22}$/)
      expect(decrypt(keyring, stored, owner)).toEqual({ plaintext, isStale: false })
    })
    assert(roundTrip)
  })

  it('is another text each time, as long as iv, secret and tag', () => {
    const stored = Array.from({ length: 100 }, () => encrypt(keyring, secret, mine))
    expect(new Set(stored).size).toBe(100)
    for (const one of stored) expect(bytesOf(one)).toHaveLength(12 + secret.length + 16)
  })

  it('opens for no other owner and as no other type', () => {
    const stored = encrypt(keyring, secret, mine)
    for (const other of [
      ['totp', 'bob'],
      ['access', 'ada'],
      ['ada', 'totp'],
      ['totp'],
      ['totp', 'ada', ''],
      ['totpada'],
      ['totp","ada'],
      ['totp,ada'],
      [],
    ]) {
      expectRefused(() => decrypt(keyring, stored, other), /was moved from another place/)
    }
    const moved = property(boundTo, boundTo, (owner, other) => {
      const same = owner.length === other.length && owner.every((part, at) => part === other[at])
      if (!same) expectRefused(() => decrypt(keyring, encrypt(keyring, secret, owner), other))
    })
    assert(moved)
  })

  it('does not open with any one bit changed', () => {
    const stored = encrypt(keyring, secret, mine)
    for (let bit = 0; bit < (12 + 16 + 16) * 8; bit++) {
      const flipped = changing(stored, (bytes) => {
        bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7))
        return bytes
      })
      expectRefused(() => decrypt(keyring, flipped, mine))
    }
  })

  it('does not open when it is cut short, and with a tag of 4 bytes neither', () => {
    const stored = encrypt(keyring, secret, mine)
    for (let length = 0; length < 12 + 16 + 16; length++) {
      const cut = changing(stored, (bytes) => bytes.subarray(0, length))
      expectRefused(() => decrypt(keyring, cut, mine))
    }
    const tagOf4 = changing(encrypt(keyring, '', mine), (bytes) => bytes.subarray(0, 12 + 4))
    expectRefused(() => decrypt(keyring, tagOf4, mine))
  })

  it('does not open with any other character in it', () => {
    const stored = encrypt(keyring, secret, mine)
    const changed = property(
      nat(stored.length - 1),
      string({ minLength: 1, maxLength: 1 }),
      (at, other) => {
        const typed = stored.slice(0, at) + other + stored.slice(at + 1)
        if (typed !== stored) expectRefused(() => decrypt(keyring, typed, mine))
      },
    )
    assert(changed, { numRuns: 500 })
    for (const loose of [
      `${stored}=`,
      `${stored}\n`,
      ` ${stored}`,
      stored.replace('v2', 'v1'),
      secret,
      '',
    ]) {
      expectRefused(() => decrypt(keyring, loose, mine), /does not have the form/)
    }
  })

  it('has one spelling: bits that stand for nothing are none', () => {
    const stored = encrypt(keyring, secret, mine)
    const others = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
      .split('')
      .map((last) => stored.slice(0, -1) + last)
      .filter((other) => other !== stored && bytesOf(other).equals(bytesOf(stored)))
    expect(others).toHaveLength(15)
    for (const other of others) expectRefused(() => decrypt(keyring, other, mine))
  })

  it('does not open with another key of the same name', () => {
    const stored = encrypt(keyring, secret, mine)
    expectRefused(() => decrypt(newKeyring('2026.11'), stored, mine))
  })
})

describe('the rotation of keys', () => {
  it('keeps what is stored readable while the older key stays, and says that it is stale', () => {
    const rotated = property(text, boundTo, (plaintext, owner) => {
      const stored = encrypt(keyring, plaintext, owner)
      const both = activating('2026.12', keyring)
      expect(decrypt(both, stored, owner)).toEqual({ plaintext, isStale: true })

      const anew = encrypt(both, plaintext, owner)
      expect(anew).toMatch(/^enc:v2:2026\.12:/)
      const newer = without('2026.11', both)
      expect(decrypt(newer, anew, owner)).toEqual({ plaintext, isStale: false })
      expectRefused(() => decrypt(newer, stored, owner), /has no key 2026\.11\.$/)
    })
    assert(rotated)
  })
})

describe('the form before this one', () => {
  /** As it was written then: without a key's name, and bound to nothing. */
  function encryptedThen(key: KeyObject, plaintext: string, authTagLength = 16) {
    const iv = randomBytes(12)
    const cipher = createCipheriv('aes-256-gcm', key, iv, { authTagLength })
    const ciphertext = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()])
    const parts = [iv, ciphertext, cipher.getAuthTag()]
    return ['enc:v1', ...parts.map((part) => part.toString('base64url'))].join(':')
  }
  const keys = newKeyring('2026.12', '2026.11', 'older')

  it('is read with whichever key of the keyring it was (A-314)', () => {
    for (const key of keys.keys.values()) {
      expect(decryptLegacy(keys, encryptedThen(key, secret))).toBe(secret)
    }
  })

  it('does not open without its key, changed, or with a tag of 4 bytes (A-315)', () => {
    const [key = createSecretKey(randomBytes(32))] = keys.keys.values()
    const stored = encryptedThen(key, secret)
    expectRefused(() => decryptLegacy(without('2026.12', keys), stored), /its key is no longer in/)
    const [iv, ciphertext = '', tag] = partsOf(stored)
    const other = (ciphertext.startsWith('A') ? 'B' : 'A') + ciphertext.slice(1)
    expectRefused(() => decryptLegacy(keys, `enc:v1:${iv}:${other}:${tag}`))
    expectRefused(() => decryptLegacy(keys, encryptedThen(key, '', 4)), /does not have the form/)
    for (const loose of [`${stored}=`, ` ${stored}`, encrypt(keys, secret, mine), secret, '']) {
      expectRefused(() => decryptLegacy(keys, loose), /does not have the form/)
    }
  })
})
