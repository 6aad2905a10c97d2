import { assert, property, string } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { normaliseEmail, normalisePhone, readIdentifier, readTarget } from './identifier.ts'

const refused = expect.objectContaining({ name: 'ValidationError', status: 400 })

function refusal(run: () => unknown) {
  try {
    return run()
  } catch (error) {
    return error
  }
}

describe('an email address', () => {
  it('has one form, whichever way it is written', () => {
    const spellings = [
      'ada@example.com',
      '  ADA@Example.COM\n',
      'ａｄａ＠example.com',
      'ada@ｅｘａｍｐｌｅ．com',
      'ada@example。com',
      '\uFEFFada@example.com',
    ]
    for (const spelling of spellings) expect(normaliseEmail(spelling)).toBe('ada@example.com')
  })

  it('keeps its tag: only its owner knows what the tag is for', () => {
    expect(normaliseEmail('Ada+Shop@example.com')).toBe('ada+shop@example.com')
    expect(normaliseEmail("o'neil.x_y-z/1=2@example.com")).toBe("o'neil.x_y-z/1=2@example.com")
  })

  it('may be of any script, and its domain is what the DNS has', () => {
    expect(normaliseEmail('ada@Bücher.example')).toBe('ada@xn--bcher-kva.example')
    expect(normaliseEmail('ada@XN--BCHER-KVA.example')).toBe('ada@xn--bcher-kva.example')
    expect(normaliseEmail('ada@faß.example')).not.toBe(normaliseEmail('ada@fass.example'))
    expect(normaliseEmail('用户@例え.テスト')).toBe('用户@xn--r8jz45g.xn--zckzah')
  })

  it('is never that of another user whose address only looks alike', () => {
    const confusables = ['ı', 'İ', 'і', 'ɩ', 'í', 'ï', 'ⅼ', '1', 'ł']
    for (const letter of confusables) {
      expect(normaliseEmail(`m${letter}ke@example.com`)).not.toBe('mike@example.com')
      expect(normaliseEmail(`ada@m${letter}ke.com`)).not.toBe('ada@mike.com')
    }
    expect(normaliseEmail('straße@example.com')).not.toBe('strasse@example.com')
  })

  it('is written out where one sign stands for several, so that a message goes to what was compared', () => {
    expect(normaliseEmail('ﬁ@example.com')).toBe('fi@example.com')
    expect(normaliseEmail('\u212Aelvin@example.com')).toBe('kelvin@example.com')
    expect(normaliseEmail('ada@ﬁsh.com')).toBe('ada@fish.com')
  })

  it('is one address, and nothing that a header or a list is made of', () => {
    const others = [
      'a@example.com,b@example.com',
      'a@example.com;b@example.com',
      'a@example.com b@example.com',
      'a@b@example.com',
      'a＠b@example.com',
      'Ada <ada@example.com>',
      '"a@b"@example.com',
      'a@example.com\r\nBcc: b@example.com',
      'a\r\nBcc:b@example.com',
      'a\u0000@example.com',
      'a\u200Bb@example.com',
      'a\uFE0Fb@example.com',
      'a\u202Eb@example.com',
      'a(comment)@example.com',
    ]
    for (const other of others)
      expect(
        refusal(() => normaliseEmail(other)),
        other,
      ).toEqual(refused)
  })

  it('has a local part and a domain', () => {
    const broken = ['', 'abc', '@', '@example.com', 'a@', '.a@example.com', 'a..b@example.com']
    broken.push('a.@example.com', 'a@.com', 'a@example..com', 'a@example.com.', 'a@-a.com')
    broken.push('a@a-.com', 'a@a_b.com', `${'a'.repeat(65)}@example.com`, `a@${'a'.repeat(64)}.com`)
    for (const each of broken)
      expect(
        refusal(() => normaliseEmail(each)),
        each,
      ).toEqual(refused)
  })

  it('has no domain that turns into another when it is converted', () => {
    const domains = [
      'evil.com/victim.com',
      'evil.com?x',
      'evil.com#x',
      'evil.com\\x',
      'evil.com:25',
    ]
    domains.push('a%2ecom', 'a\tb.com', 'a\u00ADb.com', 'ex℀mple.com', 'u:p%40evil.com')
    for (const domain of domains) {
      expect(
        refusal(() => normaliseEmail(`a@${domain}`)),
        domain,
      ).toEqual(refused)
    }
  })

  it('is not at a machine’s number, which could be this one', () => {
    const machines = [
      '127.0.0.1',
      '127.1',
      '2130706433',
      '0x7f.1',
      '[::1]',
      '[127.0.0.1]',
      '1２7.0.0.1',
    ]
    for (const machine of machines) {
      expect(
        refusal(() => normaliseEmail(`root@${machine}`)),
        machine,
      ).toEqual(refused)
    }
  })

  it('has at most 254 characters', () => {
    const domain = `${'a'.repeat(62)}.${'b'.repeat(62)}.${'c'.repeat(62)}.com`
    const local = 'l'.repeat(254 - domain.length - 1)
    expect(normaliseEmail(`${local}@${domain}`)).toHaveLength(254)
    expect(refusal(() => normaliseEmail(`${local}l@${domain}`))).toEqual(refused)
    // Counted as it is kept: one sign can be eighteen.
    expect(refusal(() => normaliseEmail(`${'\uFDFA'.repeat(30)}@${domain}`))).toEqual(refused)
  })

  it('stays the same when it is read again, for any input', () => {
    const anything = string({ unit: 'grapheme', maxLength: 20 })
    assert(
      property(anything, anything, (local, domain) => {
        const once = refusal(() => normaliseEmail(`${local}@${domain}.com`))
        expect(typeof once === 'string' ? normaliseEmail(once) : once).toEqual(
          typeof once === 'string' ? once : refused,
        )
      }),
      { numRuns: 2000 },
    )
  })
})

describe('a phone number', () => {
  it('is kept as E.164, however it is grouped', () => {
    const spellings = [
      '+12025550123',
      '+1 (202) 555-0123',
      ' +1.202.555.0123',
      '＋１２０２５５５０１２３',
    ]
    for (const spelling of spellings) expect(normalisePhone(spelling)).toBe('+12025550123')
  })

  it('has its country code and 7 to 15 digits, and nothing else', () => {
    const others = ['2025550123', '0012025550123', '+0123456789', '+123456', '+1234567890123456']
    others.push(
      '+1202555012a',
      '+1202;ext=5',
      '+١٢٠٢٥٥٥٠١٢٣',
      '++12025550123',
      '',
      '+1 202\u0000555',
    )
    for (const other of others)
      expect(
        refusal(() => normalisePhone(other)),
        other,
      ).toEqual(refused)
  })
})

describe('an identifier', () => {
  it('is the one of the two that was given', () => {
    expect(readIdentifier({ email: 'A@example.com' })).toEqual({
      type: 'email',
      value: 'a@example.com',
    })
    expect(readIdentifier({ phone: '+12025550123' })).toEqual({
      type: 'phone',
      value: '+12025550123',
    })
    for (const given of [{}, { email: 'a@example.com', phone: '+12025550123' }]) {
      expect(refusal(() => readIdentifier(given))).toEqual(refused)
    }
  })

  it('names the field that was wrong, and repeats nothing of it', () => {
    const error = refusal(() => readTarget('secret', 'email')) as { fields: unknown }
    expect(error).toMatchObject({ fields: [{ path: 'body.target' }] })
    expect(JSON.stringify(error.fields)).not.toContain('secret')
    expect(refusal(() => readIdentifier({ phone: 'x' }))).toMatchObject({
      fields: [{ path: 'body.phone' }],
    })
  })
})
