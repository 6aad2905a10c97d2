import { afterAll, describe, expect, it, vi } from 'vitest'
import { hasArgon2 } from './argon2.ts'
import { firebaseHash } from './foreign/foreign.ts'
import { createPasswordHasher, storedHashProblem } from './passwords.ts'

const log = { error: vi.fn() }
const hasher = createPasswordHasher({ rounds: 4, workers: 1, log })
afterAll(() => hasher.close())

const password = 'a quiet green chair'
const [salt, digest] = ['c29tZXNhbHRzb21lc2FsdA', 'A'.repeat(43)]

function firebaseOf(cost: { memCost: number; rounds: number }) {
  const project = { ...cost, signerKey: digest, saltSeparator: 'Bw==' }
  return firebaseHash(project, { salt, hash: digest })
}

describe('a hash that would hold a worker, or take its memory', () => {
  it.each([
    ['bcrypt of 31 rounds', `$2b$31$${'a'.repeat(53)}`],
    ['bcrypt_sha256 of 17 rounds', `bcrypt_sha256$$2b$17$${'a'.repeat(53)}`],
    ['argon2 of gigabytes', `$argon2id$v=19$m=2097152,t=1,p=1$${salt}$${digest}`],
    ['argon2 of many lanes', `$argon2id$v=19$m=262144,t=1,p=65$${salt}$${digest}`],
    ['argon2 of many threads', `$argon2id$v=19$m=512,t=2000,p=64$${salt}$${digest}`],
    ['argon2 of 256 MiB and eight passes', `$argon2id$v=19$m=262144,t=8,p=1$${salt}$${digest}`],
    ['our own argon2 of gigabytes', `svc1$$argon2id$v=19$m=999999,t=99,p=99$${salt}$${digest}`],
    ['our own argon2 of many passes', `svc1$$argon2id$v=19$m=65536,t=99,p=1$${salt}$${digest}`],
    ['argon2 of many passes', `$argon2id$v=19$m=65536,t=999999,p=1$${salt}$${digest}`],
    ['scrypt of 2^30 blocks', `$scrypt$ln=30,r=8,p=1$${salt}$${digest}`],
    ['scrypt of many lanes', `$scrypt$ln=14,r=8,p=9999$${salt}$${digest}`],
    ["Django's scrypt of 2^29 blocks", `scrypt$536870912$salt$8$1$${digest}`],
    ['scrypt of the widest blocks', `$scrypt$ln=1,r=99999,p=20$${salt}$${digest}`],
    ['scrypt of wide blocks', `$scrypt$ln=1,r=65,p=1$${salt}$${digest}`],
    ['scrypt of few blocks and many lanes', `$scrypt$ln=1,r=8,p=65$${salt}$${digest}`],
    ["Django's scrypt of wide blocks", `scrypt$2$salt$99999$1$${digest}`],
    ['Firebase of wide blocks', firebaseOf({ memCost: 14, rounds: 999 })],
    ['pbkdf2-sha512 of four million rounds', `$pbkdf2-sha512$4000000$${salt}$${digest}`],
    ['pbkdf2 of many rounds', `$pbkdf2-sha256$999999999$${salt}$${digest}`],
    ["Django's pbkdf2 of many rounds", `pbkdf2_sha256$999999999$salt$${digest}`],
    ['pbkdf2 of many blocks', `$pbkdf2$3000000$${salt}$${'A'.repeat(160)}`],
    ['Firebase of 2^30 blocks', firebaseOf({ memCost: 30, rounds: 8 })],
  ])('is refused: %s', async (_, stored) => {
    expect(storedHashProblem(stored)).toBe('hash_too_costly')
    log.error.mockClear()
    expect(await hasher.verify(password, stored)).toBe(false)
    expect(log.error).toHaveBeenCalledOnce()
  })
})

describe('a hash of a cost that cannot be', () => {
  it.each([
    [
      'argon2 with too little memory for its lanes',
      `$argon2id$v=19$m=31,t=1,p=4$${salt}$${digest}`,
    ],
    ['our own argon2, likewise', `svc1$$argon2id$v=19$m=1,t=1,p=99$${salt}$${digest}`],
    ['scrypt of 2^17 blocks of one', `$scrypt$ln=17,r=1,p=1$${salt}$${digest}`],
    ['scrypt of 2^16 blocks of one', `$scrypt$ln=16,r=1,p=1$${salt}$${digest}`],
    ["Django's scrypt, likewise", `scrypt$65536$salt$1$1$${digest}`],
    ['Firebase, likewise', firebaseOf({ memCost: 16, rounds: 1 })],
  ])('is refused: %s', async (_, stored) => {
    expect(storedHashProblem(stored)).toBe('hash_malformed')
    log.error.mockClear()
    expect(await hasher.verify(password, stored)).toBe(false)
    expect(log.error).toHaveBeenCalledOnce()
  })

  it('begins where RFC 7914 ends', async () => {
    const stored = `$scrypt$ln=15,r=1,p=1$${salt}$${digest}`
    expect(storedHashProblem(stored)).toBeNull()
    expect(await hasher.verify(password, stored)).toBe(false)
  })
})

describe('the cost that other systems ask for', () => {
  it.each([
    ["OWASP's of scrypt", `$scrypt$ln=17,r=8,p=1$${salt}$${digest}`],
    ["OWASP's of scrypt with the most lanes", `$scrypt$ln=13,r=8,p=10$${salt}$${digest}`],
    ["OWASP's of pbkdf2-sha512", `$pbkdf2-sha512$210000$${salt}$${digest}`],
    ["OWASP's of pbkdf2-sha1", `$pbkdf2$1300000$${salt}$${'A'.repeat(27)}`],
    ["Django 6.0's of pbkdf2", `pbkdf2_sha256$1200000$salt$${digest}`],
  ])('is within the limits: %s', (_, stored) => {
    expect(storedHashProblem(stored)).toBeNull()
  })

  it.runIf(hasArgon2).each([
    ['our own', `svc1$$argon2id$v=19$m=19456,t=2,p=1$${salt}$${digest}`],
    ["Django's", `argon2$argon2id$v=19$m=102400,t=2,p=8$${salt}$${digest}`],
    ["RFC 9106's second", `$argon2id$v=19$m=65536,t=3,p=4$${salt}$${digest}`],
    ["libsodium's moderate", `$argon2id$v=19$m=262144,t=3,p=1$${salt}$${digest}`],
  ])('is within the limits: %s of argon2', (_, stored) => {
    expect(storedHashProblem(stored)).toBeNull()
  })
})
