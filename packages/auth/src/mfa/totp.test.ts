import { assert, constantFrom, date, integer, property, string, uint8Array } from 'fast-check'
import { HOTP, Secret, TOTP, URI } from 'otpauth'
import { describe, expect, it } from 'vitest'
import { matchingStep, newTotpSecret, otpauthUri, totpCode } from './totp.ts'

// '12345678901234567890' in ASCII, with which both RFCs have made their examples.
const example = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'

const secret = uint8Array({ minLength: 20, maxLength: 20 }).map(
  ({ buffer }) => new Secret({ buffer }).base32,
)
const moment = date({ min: new Date(30_000), max: new Date('2500-01-01'), noInvalidDate: true })
const atSecond = (second: number) => new Date(second * 1000)

describe('totpCode', () => {
  const counted = [755224, 287082, 359152, 969429, 338314, 254676, 287922, 162583, 399871, 520489]
  it.each(counted.map((code, counter) => [counter, code] as const))(
    'has for the counter %i of RFC 4226, appendix D, the code %i',
    (counter, code) => {
      expect(totpCode(example, counter)).toBe(`${code}`)
    },
  )

  it.each([
    [59, '94287082'],
    [1_111_111_109, '07081804'],
    [1_111_111_111, '14050471'],
    [1_234_567_890, '89005924'],
    [2_000_000_000, '69279037'],
    [20_000_000_000, '65353130'],
  ])('has at second %i of RFC 6238, appendix B, the last six digits of %s', (second, code) => {
    expect(totpCode(example, Math.floor(second / 30))).toBe(code.slice(2))
    expect(matchingStep(example, code.slice(2), atSecond(second))).toBe(Math.floor(second / 30))
  })

  it('is what another implementation makes of any secret at any moment', () => {
    const same = property(secret, moment, (text, now) => {
      const timestamp = now.getTime()
      const code = new TOTP({ secret: Secret.fromBase32(text) }).generate({ timestamp })
      expect(totpCode(text, Math.floor(timestamp / 30_000))).toBe(code)
    })
    assert(same, { numRuns: 500 })
  })
})

describe('matchingStep', () => {
  const now = new Date('2026-03-01T12:00:10Z')
  const current = now.getTime() / 30_000 - 1 / 3

  it.each([
    [-2, null],
    [-1, current - 1],
    [0, current],
    [1, current + 1],
    [2, null],
  ])('takes a code that is %i steps off as of step %s', (off, step) => {
    expect(matchingStep(example, totpCode(example, current + off), now)).toBe(step)
  })

  it('takes a code from the first to the last millisecond of three steps', () => {
    const code = totpCode(example, current)
    const start = current * 30_000
    const at = (millis: number) => matchingStep(example, code, new Date(start + millis))
    expect([-30_001, -30_000, 59_999, 60_000].map(at)).toEqual([null, current, current, null])
  })

  it('agrees with another implementation on any secret, moment and drift', () => {
    const same = property(secret, moment, integer({ min: -4, max: 4 }), (text, time, drift) => {
      const timestamp = time.getTime()
      const step = Math.floor(timestamp / 30_000)
      const oracle = new TOTP({ secret: Secret.fromBase32(text) })
      const code = HOTP.generate({ secret: oracle.secret, counter: Math.max(step + drift, 0) })
      const isValid = oracle.validate({ token: code, timestamp, window: 1 }) !== null
      expect(matchingStep(text, code, time) !== null).toBe(isValid)
    })
    assert(same, { numRuns: 500 })
  })

  it('takes nothing that only looks like the code', () => {
    const code = totpCode(example, current)
    const fullwidth = String.fromCodePoint(...Array.from(code, (digit) => 0xff10 + Number(digit)))
    for (const other of [
      '',
      code.slice(1),
      `${code}0`,
      ` ${code}`,
      `${Number(code)}.0`,
      fullwidth,
    ]) {
      expect(matchingStep(example, other, now)).toBeNull()
    }
    expect(matchingStep(example.replace('G', 'H'), code, now)).toBeNull()
  })
})

describe('newTotpSecret', () => {
  it('is 20 random bytes in base32, without padding', () => {
    const secrets = Array.from({ length: 1000 }, newTotpSecret)
    for (const text of secrets) {
      expect(text).toMatch(/^[A-Z2-7]{32}$/)
      expect(Secret.fromBase32(text).bytes).toHaveLength(20)
    }
    expect(new Set(secrets).size).toBe(1000)
    for (const place of [0, 31]) expect(new Set(secrets.map((text) => text[place])).size).toBe(32)
  })
})

describe('otpauthUri', () => {
  it('is written as authenticator apps read it', () => {
    const uri = otpauthUri({ secret: example, issuer: 'ACME Co', account: 'john.doe@email.com' })
    expect(uri).toBe(
      `otpauth://totp/ACME%20Co:john.doe%40email.com?secret=${example}&issuer=ACME%20Co&algorithm=SHA1&digits=6&period=30`,
    )
  })

  it('gives a parser back what was put in, for any input', () => {
    const name = string({ unit: 'grapheme', minLength: 1, maxLength: 40 }).filter(
      (text) => !text.includes(':') && text.trim() === text,
    )
    const told = constantFrom('Größe & Söhne', '회사 100%', 'a/b?c=d#e+f', 'app.example.com')
    const parsed = property(secret, name, told, (text, account, issuer) => {
      const read = URI.parse(otpauthUri({ secret: text, issuer, account }))
      if (!(read instanceof TOTP)) throw new Error('It is no TOTP.')
      expect(read).toMatchObject({ issuer, issuerInLabel: true, label: account })
      expect(read).toMatchObject({ algorithm: 'SHA1', digits: 6, period: 30 })
      expect(read.secret.base32).toBe(text)
    })
    assert(parsed, { numRuns: 300 })
  })
})
