import { canonicalJson } from './client.ts'

type StrictJsonCode =
  | 'DUPLICATE_KEY'
  | 'NON_INTEGER_NUMBER'
  | 'TRAILING_CONTENT'
  | 'UNEXPECTED_END'
  | 'INVALID_TOKEN'
  | 'INVALID_ESCAPE'
  | 'INTEGER_OUT_OF_RANGE'
  | 'INVALID_UTF8'

export class StrictJsonError extends Error {
  override readonly name = 'StrictJsonError'
  readonly code: StrictJsonCode

  constructor(code: StrictJsonCode) {
    super(code)
    this.code = code
  }
}

interface Members {
  [name: string]: JsonValue
}

/** An integer that is not safe as a number is a bigint. */
type JsonValue = null | boolean | string | number | bigint | JsonValue[] | Members

/**
 * Reads the JSON that devices sign. It refuses everything that two parsers could read
 * differently.
 */
export function parseStrictJson(bytes: Uint8Array): JsonValue {
  return new Reader(decode(bytes)).document()
}

/** Whether these bytes are the only spelling of their value. */
export function isCanonical(bytes: Uint8Array): boolean {
  try {
    const text = decode(bytes)
    return canonicalJson(new Reader(text).document()) === text
  } catch (error) {
    if (error instanceof StrictJsonError) return false
    throw error
  }
}

function decode(bytes: Uint8Array) {
  try {
    // A byte order mark stays in the text, where it is not a token.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new StrictJsonError('INVALID_UTF8')
  }
}

// As deep as core reads a body.
const deepest = 64
const longestInteger = '-9223372036854775808'.length
// Safe as a number, with any digits.
const exactLength = 15

const escapes: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
}

/** Reads a text once, from its start to its end. */
class Reader {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  document() {
    const value = this.#value(0)
    this.#skip(isSpace)
    if (this.#at < this.#text.length) throw new StrictJsonError('TRAILING_CONTENT')
    return value
  }

  #value(depth: number): JsonValue {
    this.#skip(isSpace)
    const first = this.#text[this.#at]
    if (first === undefined) throw new StrictJsonError('UNEXPECTED_END')
    if ((first === '{' || first === '[') && depth === deepest) {
      throw new StrictJsonError('INVALID_TOKEN')
    }
    if (first === '{') return this.#members(depth + 1)
    if (first === '[') return this.#items(depth + 1)
    if (first === '"') return this.#quoted()
    if (first === 't') return this.#literal('true', true)
    if (first === 'f') return this.#literal('false', false)
    if (first === 'n') return this.#literal('null', null)
    return this.#integer()
  }

  #members(depth: number) {
    // Without a prototype, `__proto__` is an ordinary name.
    const members = Object.create(null) as Members
    this.#at += 1
    if (this.#takes('}')) return members
    do {
      this.#skip(isSpace)
      const name = this.#quoted()
      if (name in members) throw new StrictJsonError('DUPLICATE_KEY')
      this.#skip(isSpace)
      this.#expect(':')
      members[name] = this.#value(depth)
    } while (this.#takes(','))
    this.#expect('}')
    return members
  }

  #items(depth: number) {
    const items: JsonValue[] = []
    this.#at += 1
    if (this.#takes(']')) return items
    do items.push(this.#value(depth))
    while (this.#takes(','))
    this.#expect(']')
    return items
  }

  #literal<Value>(word: string, value: Value) {
    this.#expect(word)
    return value
  }

  #integer() {
    const start = this.#at
    if (this.#text[start] === '-') this.#at += 1
    this.#skip(isDigit)
    const text = this.#text.slice(start, this.#at)
    const next = this.#text[this.#at]
    if (text === '-' && next === undefined) throw new StrictJsonError('UNEXPECTED_END')
    if (!/^-?(?:0|[1-9]\d*)$/.test(text)) throw new StrictJsonError('INVALID_TOKEN')
    if (next === '.' || next === 'e' || next === 'E') {
      throw new StrictJsonError('NON_INTEGER_NUMBER')
    }
    return text.length <= exactLength ? Number(text) : largeInteger(text)
  }

  #quoted() {
    this.#expect('"')
    let text = this.#literally()
    while (this.#text[this.#at] === '\\') {
      this.#at += 1
      text += this.#escaped() + this.#literally()
    }
    this.#expect('"')
    return text
  }

  #literally() {
    const start = this.#at
    this.#skip(isLiteral)
    return this.#text.slice(start, this.#at)
  }

  #escaped() {
    const letter = this.#text[this.#at]
    if (letter === undefined) throw new StrictJsonError('UNEXPECTED_END')
    this.#at += 1
    if (letter === 'u') return this.#character()
    const meant = escapes[letter]
    if (meant === undefined) throw new StrictJsonError('INVALID_ESCAPE')
    return meant
  }

  /** One `\uxxxx`, or the two of a pair. Half a pair is not a character. */
  #character() {
    const first = this.#unit()
    if (/[\uDC00-\uDFFF]/.test(first)) throw new StrictJsonError('INVALID_ESCAPE')
    if (!/[\uD800-\uDBFF]/.test(first)) return first
    this.#expect('\\u', 'INVALID_ESCAPE')
    const second = this.#unit()
    if (!/[\uDC00-\uDFFF]/.test(second)) throw new StrictJsonError('INVALID_ESCAPE')
    return first + second
  }

  #unit() {
    const digits = this.#text.slice(this.#at, this.#at + 4)
    if (!/^[\da-f]*$/i.test(digits)) throw new StrictJsonError('INVALID_ESCAPE')
    if (digits.length < 4) throw new StrictJsonError('UNEXPECTED_END')
    this.#at += 4
    return String.fromCharCode(Number.parseInt(digits, 16))
  }

  #skip(isSkipped: (unit: number) => boolean) {
    while (isSkipped(this.#text.charCodeAt(this.#at))) this.#at += 1
  }

  #takes(mark: ',' | '}' | ']') {
    this.#skip(isSpace)
    const isThere = this.#text[this.#at] === mark
    if (isThere) this.#at += 1
    return isThere
  }

  #expect(word: string, otherwise: StrictJsonCode = 'INVALID_TOKEN') {
    const found = this.#text.slice(this.#at, this.#at + word.length)
    this.#at += word.length
    if (found === word) return
    throw new StrictJsonError(word.startsWith(found) ? 'UNEXPECTED_END' : otherwise)
  }
}

// After the end there is NaN, which is none of these.
const isSpace = (unit: number) => unit === 0x20 || unit === 0x0a || unit === 0x0d || unit === 0x09
const isDigit = (unit: number) => unit >= 0x30 && unit <= 0x39
/**
 * The characters that a string contains unescaped: neither quote nor backslash nor control
 * character.
 */
const isLiteral = (unit: number) => unit >= 0x20 && unit !== 0x22 && unit !== 0x5c

function largeInteger(text: string) {
  // Parsing a million digits would take longer than reading the body.
  const value = text.length > longestInteger ? null : BigInt(text)
  if (value === null || BigInt.asIntN(64, value) !== value) {
    throw new StrictJsonError('INTEGER_OUT_OF_RANGE')
  }
  return value
}
