import {
  array,
  assert,
  constantFrom,
  dictionary,
  letrec,
  maxSafeInteger,
  oneof,
  property,
  string,
  uniqueArray,
} from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalJson } from './client.ts'
import { isCanonical, parseStrictJson, StrictJsonError } from './strict-json.ts'

const bytesOf = (text: string) => Buffer.from(text)
const canonicalOf = (text: string) => canonicalJson(parseStrictJson(bytesOf(text)))
const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)

function codeOf(given: string | Buffer) {
  try {
    parseStrictJson(Buffer.from(given))
    return null
  } catch (error) {
    return error instanceof StrictJsonError ? error.code : error
  }
}

/** Integers for numbers; names and strings of all planes. */
const { json } = letrec((tie) => ({
  json: oneof(
    { maxDepth: 5 },
    constantFrom(null, true, false),
    string({ unit: 'binary' }),
    maxSafeInteger(),
    array(tie('json'), { maxLength: 4 }),
    dictionary(string({ unit: 'binary', maxLength: 3 }), tie('json'), { maxKeys: 5 }),
  ),
}))

describe('canonical JSON', () => {
  it('orders names by UTF-8 bytes at every depth, and keeps the order of arrays (A-332)', () => {
    // RFC 8785, 3.2.3, whose UTF-16 order would have the emoji before U+FB33.
    const names = ['\u20ac', '\r', '\ufb33', '1', '\u{1f600}', '\u0080', '\u00f6']
    const value = Object.fromEntries(names.map((name) => [name, [2, { b: 1, a: 2 }, 1]]))
    const ordered = ['\r', '1', '\u0080', '\u00f6', '\u20ac', '\ufb33', '\u{1f600}']
    const text = ordered.map((name) => `${JSON.stringify(name)}:[2,{"a":2,"b":1},1]`).join(',')
    expect(canonicalJson(value)).toBe(`{${text}}`)
    expect(isCanonical(bytesOf(`{${text}}`))).toBe(true)
    expect(isCanonical(bytesOf(JSON.stringify(value)))).toBe(false)
  })

  it('orders as the bytes do, with any names (A-332)', () => {
    const names = uniqueArray(string({ unit: 'binary', maxLength: 4 }), { minLength: 2 })
    assert(
      property(names, (given) => {
        const object = Object.fromEntries(given.map((name) => [name, 0]))
        const text = canonicalJson(object)
        const written = [...text.matchAll(/("(?:[^"\\]|\\.)*"):0/g)].map(([, name = '']) =>
          JSON.parse(name),
        )
        const byBytes = given.toSorted((one, other) => Buffer.compare(bytesOf(one), bytesOf(other)))
        expect(written).toEqual(byBytes)
      }),
    )
  })

  it('escapes what it must, in one way (A-332)', () => {
    // The string of RFC 8785, 3.2.2.
    const rfc = String.raw`"\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/"`
    expect(canonicalOf(rfc)).toBe(String.raw`"€$\u000f\nA'B\"\\\\\"/"`)
    expect(canonicalJson('\b\f\n\r\t\u0000\u001f\u007f\u2028/é😀')).toBe(
      '"\\b\\f\\n\\r\\t\\u0000\\u001f\u007f\u2028/é😀"',
    )
    expect(canonicalOf(String.raw`"\ud83d\ude00"`)).toBe('"😀"')
  })

  it('has integers of 64 bits, and one spelling for each (A-332)', () => {
    const whole = '[-9223372036854775808,9223372036854775807,0,-1,10]'
    expect(isCanonical(bytesOf(whole))).toBe(true)
    expect(canonicalJson([-(2n ** 63n), 2n ** 63n - 1n, -0, -1, 10])).toBe(whole)
    expect(isCanonical(bytesOf('-0'))).toBe(false)
  })

  it.each([
    '{ "a":1}',
    '{"a":1}\n',
    '{"b":1,"a":2}',
    '[1, 2]',
    String.raw`"\u0041"`,
    String.raw`"\/"`,
    String.raw`"\u000A"`,
    String.raw`"\u001F"`,
    '{"a":1,"a":1}',
    '1.0',
    '',
  ])('is not %j (A-332)', (text) => {
    expect(isCanonical(bytesOf(text))).toBe(false)
  })

  it('is written of nothing that it does not have (A-332)', () => {
    const cyclic: unknown[] = []
    cyclic.push(cyclic)
    const others = [1.5, NaN, Infinity, 2 ** 53, 2n ** 63n, '\ud800', { '\udc00': 1 }, undefined]
    const values = [...others, [undefined], () => 1, Symbol('s'), new Date(0), new Map(), cyclic]
    for (const value of values) expect(() => canonicalJson(value)).toThrow(TypeError)
    expect(canonicalJson({ a: undefined, b: 1 })).toBe('{"b":1}')
  })

  it('is read back as it was, and is the same when it is written again (A-332)', () => {
    assert(
      property(json, constantFrom(0, 1, '\t'), (value, indent) => {
        const text = JSON.stringify(value, null, indent)
        const canonical = canonicalOf(text)
        expect(JSON.parse(canonical)).toEqual(JSON.parse(text))
        expect(canonicalOf(canonical)).toBe(canonical)
        expect(canonicalJson(value)).toBe(canonical)
        expect(isCanonical(bytesOf(canonical))).toBe(true)
        expect(isCanonical(bytesOf(text))).toBe(text === canonical)
      }),
    )
  })
})

describe('the strict parser', () => {
  it.each([
    ['DUPLICATE_KEY', '{"a":1,"a":1}'],
    ['DUPLICATE_KEY', String.raw`{"a":{"b":1,"\u0062":2}}`],
    ['DUPLICATE_KEY', '{"__proto__":1,"__proto__":2}'],
    ['NON_INTEGER_NUMBER', '1.5'],
    ['NON_INTEGER_NUMBER', '[1.0]'],
    ['NON_INTEGER_NUMBER', '1e3'],
    ['NON_INTEGER_NUMBER', '-1E3'],
    ['TRAILING_CONTENT', '{}{}'],
    ['TRAILING_CONTENT', '1 2'],
    ['TRAILING_CONTENT', 'null\0'],
    ['UNEXPECTED_END', ''],
    ['UNEXPECTED_END', ' '],
    ['UNEXPECTED_END', '{'],
    ['UNEXPECTED_END', '{"a"'],
    ['UNEXPECTED_END', '{"a":'],
    ['UNEXPECTED_END', '{"a":1'],
    ['UNEXPECTED_END', '[1,'],
    ['UNEXPECTED_END', '"a'],
    ['UNEXPECTED_END', '"\\'],
    ['UNEXPECTED_END', String.raw`"\u12`],
    ['UNEXPECTED_END', String.raw`"\ud83d\u`],
    ['UNEXPECTED_END', '-'],
    ['UNEXPECTED_END', 'tru'],
    ['INVALID_TOKEN', 'truE'],
    ['INVALID_TOKEN', '01'],
    ['INVALID_TOKEN', '-01'],
    ['INVALID_TOKEN', '+1'],
    ['INVALID_TOKEN', '.5'],
    ['INVALID_TOKEN', '[-a]'],
    ['INVALID_TOKEN', 'NaN'],
    ['INVALID_TOKEN', '[1,]'],
    ['INVALID_TOKEN', '{"a":1,}'],
    ['INVALID_TOKEN', '{a:1}'],
    ['INVALID_TOKEN', '{"a" 1}'],
    ['INVALID_TOKEN', '[1 2]'],
    ['INVALID_TOKEN', "'a'"],
    ['INVALID_TOKEN', '"a\nb"'],
    ['INVALID_TOKEN', '\ufeff{}'],
    ['INVALID_TOKEN', '\u00a01'],
    ['INVALID_TOKEN', nested(65)],
    ['INVALID_ESCAPE', String.raw`"\x"`],
    ['INVALID_ESCAPE', String.raw`"\U0041"`],
    ['INVALID_ESCAPE', String.raw`"\u12g4"`],
    ['INVALID_ESCAPE', String.raw`"\u12"`],
    ['INVALID_ESCAPE', String.raw`"\ud800"`],
    ['INVALID_ESCAPE', String.raw`"\udc00"`],
    ['INVALID_ESCAPE', String.raw`"\ud800\ud800"`],
    ['INVALID_ESCAPE', String.raw`"\ude00\ud83d"`],
    ['INVALID_ESCAPE', String.raw`"\ud83dx"`],
    ['INTEGER_OUT_OF_RANGE', '9223372036854775808'],
    ['INTEGER_OUT_OF_RANGE', '-9223372036854775809'],
    ['INTEGER_OUT_OF_RANGE', '1'.repeat(1000)],
    ['INVALID_UTF8', Buffer.from('22ff22', 'hex')],
    ['INVALID_UTF8', Buffer.from('22c0af22', 'hex')],
    ['INVALID_UTF8', Buffer.from('22eda08022', 'hex')],
    ['INVALID_UTF8', Buffer.from('22f09f9822', 'hex')],
    [null, nested(64)],
    [null, ' { "__proto__" : [ true , false , null , -0 , "" ] } '],
  ])('says %s of %j (A-332)', (code, given) => {
    expect(codeOf(given)).toBe(code)
  })

  it('takes nothing that JSON.parse refuses, and means the same (A-332)', () => {
    const marks = constantFrom(...Array.from('{}[]:,"\\u0123456789abcdef-+.eE tfnrl\n\t\u0001😀'))
    const text = array(marks, { maxLength: 12 }).map((parts) => parts.join(''))
    assert(
      property(text, (given) => {
        if (codeOf(given) !== null) return
        // An integer has no zero below zero, and JavaScript has.
        const meant = JSON.parse(given, (_, value) => (Object.is(value, -0) ? 0 : value))
        expect(JSON.parse(canonicalOf(given))).toEqual(meant)
      }),
      { numRuns: 2000, examples: [['-0'], ['[-0]'], ['{"a":-0}']] },
    )
  })

  it('takes no longer than a body is', () => {
    const size = 2 ** 18
    const names = Array.from({ length: size / 16 }, (_, at) => `"${at}${'x'.repeat(8)}":1`)
    const bodies = [
      '9'.repeat(size),
      `"${'\\n'.repeat(size / 2)}"`,
      `"${'\\ud83d\\ude00'.repeat(size / 12)}"`,
      `[${'1,'.repeat(size / 2)}1]`,
      `{${names.join(',')}}`,
      `"${'a'.repeat(size)}`,
      ' '.repeat(size),
      `[${`${nested(60)},`.repeat(size / 121)}1]`,
    ]
    for (const body of bodies) {
      const before = performance.now()
      isCanonical(bytesOf(body))
      // A hundred times what it takes, for a machine that is busy. Square time is longer.
      expect(performance.now() - before).toBeLessThan(5_000)
    }
  })
})
