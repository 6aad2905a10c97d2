import bcrypt from 'bcrypt'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { hasArgon2 } from './argon2.ts'
import { createPasswordHasher } from './passwords.ts'

const log = { error: vi.fn() }
const hasher = createPasswordHasher({ rounds: 4, workers: 1, waitMillis: 60_000, log })
afterAll(() => hasher.close())

const ourPassword = 'a quiet green chair'
// From the tests of the reference implementation of Argon2.
const importedArgon2id =
  '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc'

describe('hash', () => {
  it('uses bcrypt with the configured rounds, and the value names its scheme (A-084)', async () => {
    expect(await hasher.hash(ourPassword)).toMatch(/^svc1\$\$2b\$04\$[./A-Za-z0-9]{53}$/)
  })

  it('never makes the same value twice', async () => {
    expect(await hasher.hash(ourPassword)).not.toBe(await hasher.hash(ourPassword))
  })

  it('refuses a password of a megabyte before it is hashed', async () => {
    await expect(hasher.hash('x'.repeat(1_000_000))).rejects.toMatchObject({
      reasons: ['too_long'],
    })
  })

  it('takes 4 to 16 rounds', () => {
    for (const rounds of [3, 17, 4.5, Number.NaN]) {
      expect(() => createPasswordHasher({ rounds, log })).toThrow(RangeError)
    }
  })
})

describe('verify', () => {
  it('is true for the right password alone', async () => {
    const stored = await hasher.hash(ourPassword)

    expect(await hasher.verify(ourPassword, stored)).toBe(true)
    expect(await hasher.verify(`${ourPassword}s`, stored)).toBe(false)
    expect(await hasher.verify(ourPassword.toUpperCase(), stored)).toBe(false)
    expect(await hasher.verify('', stored)).toBe(false)
  })

  it('tells apart two passwords that share 72 bytes', async () => {
    const shared = 'seventy-two bytes '.repeat(4)
    const stored = await hasher.hash(`${shared}and an end`)

    expect(await hasher.verify(`${shared}and an end`, stored)).toBe(true)
    expect(await hasher.verify(`${shared}and another`, stored)).toBe(false)
    expect(await hasher.verify(shared, stored)).toBe(false)
  })

  it('reads on behind a NUL', async () => {
    const stored = await hasher.hash('before\0behind')

    expect(await hasher.verify('before\0behind', stored)).toBe(true)
    expect(await hasher.verify('before\0another', stored)).toBe(false)
    expect(await hasher.verify('before', stored)).toBe(false)
  })

  it('takes a password in whichever form it is typed', async () => {
    const stored = await hasher.hash('un café à Zürich')

    expect(await hasher.verify('un café à Zürich'.normalize('NFD'), stored)).toBe(true)
    expect(await hasher.verify('ｕｎ café à Zürich', stored)).toBe(true)
  })

  it('is false for no account, and for a password that is too long for any', async () => {
    const stored = await hasher.hash(ourPassword)

    expect(await hasher.verify(ourPassword, null)).toBe(false)
    expect(await hasher.verify('', null)).toBe(false)
    expect(await hasher.verify('x'.repeat(257), stored)).toBe(false)
    expect(await hasher.verify('x'.repeat(1_000_000), stored)).toBe(false)
  })

  it.each(['$2a$', '$2b$', '$2y$'])('takes an imported hash of bcrypt, %s', async (prefix) => {
    const stored = (await bcrypt.hash('U*U*U', 4)).replace('$2b$', prefix)

    expect(await hasher.verify('U*U*U', stored)).toBe(true)
    expect(await hasher.verify('U*U*', stored)).toBe(false)
  })

  it('takes a hash that another implementation of bcrypt made', async () => {
    // From the tests of crypt_blowfish.
    const stored = '$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW'

    expect(await hasher.verify('U*U', stored)).toBe(true)
    expect(await hasher.verify('U*V', stored)).toBe(false)
  })

  it.runIf(hasArgon2)('takes a hash that another implementation of argon2id made', async () => {
    expect(await hasher.verify('password', importedArgon2id)).toBe(true)
    expect(await hasher.verify('passwords', importedArgon2id)).toBe(false)
  })

  it.each([
    ['nothing', ''],
    ['a password in the clear', ourPassword],
    ['a digest', 'svc1$5f4dcc3b5aa765d61d8327deb882cf99'],
    ['rounds that hold a worker for hours', `$2b$31$${'a'.repeat(53)}`],
    ['memory for gigabytes', importedArgon2id.replace('m=65536', 'm=999999')],
    ['an older argon2', importedArgon2id.replace('v=19', 'v=16')],
  ])('is false for a value of no known form, and says so: %s', async (_, stored) => {
    log.error.mockClear()

    expect(await hasher.verify(ourPassword, stored)).toBe(false)
    expect(log.error).toHaveBeenCalledOnce()
  })
})

describe('the time of a refusal', () => {
  const slow = createPasswordHasher({ rounds: 10, workers: 1, waitMillis: 60_000, log })
  afterAll(() => slow.close())

  async function timeOf(password: string, stored: string | null) {
    const started = performance.now()
    expect(await slow.verify(password, stored)).toBe(false)
    return performance.now() - started
  }

  it('is at least that of a wrong password, with any stored hash (A-147)', async () => {
    const stored = await slow.hash(ourPassword)
    const refusals: [string, string | null][] = [
      ['a wrong one', stored],
      ['a wrong one', null],
      ['a wrong one', await bcrypt.hash(ourPassword, 4)],
      ['a wrong one', 'of no known form'],
      ['x'.repeat(1_000_000), stored],
    ]
    const shortest = refusals.map(() => Infinity)
    for (let times = 0; times < 5; times += 1) {
      for (const [index, refusal] of refusals.entries()) {
        shortest[index] = Math.min(shortest[index] ?? Infinity, await timeOf(...refusal))
      }
    }

    const [wrong = Infinity, ...others] = shortest
    // A branch that skips the work takes a hundredth. How near they are is for a bench to say.
    for (const other of others) expect(other).toBeGreaterThan(wrong / 2)
  })
})

describe('needsRehash', () => {
  it('is true for an imported hash, another scheme or other rounds', async () => {
    const five = createPasswordHasher({ rounds: 5, workers: 1, log })
    const stored = await hasher.hash(ourPassword)

    expect(hasher.needsRehash(stored)).toBe(false)
    expect(five.needsRehash(stored)).toBe(true)
    expect(hasher.needsRehash(await bcrypt.hash(ourPassword, 4))).toBe(true)
    expect(hasher.needsRehash(importedArgon2id)).toBe(true)
    await five.close()
  })
})

describe.runIf(hasArgon2)('with argon2id', () => {
  const argon = createPasswordHasher({
    rounds: 4,
    scheme: 'argon2id',
    workers: 1,
    waitMillis: 60_000,
    log,
  })
  afterAll(() => argon.close())

  it('hashes with it, and goes on verifying what bcrypt made', async () => {
    const stored = await argon.hash(ourPassword)
    const older = await hasher.hash(ourPassword)

    expect(stored).toMatch(/^svc1\$\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect(await argon.verify(ourPassword, stored)).toBe(true)
    expect(await argon.verify(`${ourPassword}s`, stored)).toBe(false)
    expect(await argon.verify(ourPassword, null)).toBe(false)
    expect(await argon.verify(ourPassword, older)).toBe(true)
    expect([argon.needsRehash(stored), argon.needsRehash(older)]).toEqual([false, true])
    expect(hasher.needsRehash(stored)).toBe(true)
  })
})
