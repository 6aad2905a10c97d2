import { BadRequestError } from '../errors/contract.ts'

// One decoder for all: making one costs more than decoding a small body.
const utf8 = new TextDecoder('utf8', { fatal: true, ignoreBOM: true })

/**
 * Parses JSON from outside. It refuses two members of the same name, which JSON.parse accepts silently. Error messages
 * call the text `what`. 64 levels are enough for any real document, and few enough that no recursive reader of the
 * value overflows its stack.
 */
export function parseJson(bytes: Uint8Array, what = 'body', deepest = 64): unknown {
  let value: unknown
  try {
    value = JSON.parse(utf8.decode(bytes))
  } catch {
    // The parser's message quotes the text, and the text may hold a password.
    throw refused(what, 'is not valid JSON')
  }
  if (countKept(value, deepest, what) < countWritten(bytes)) {
    throw refused(what, 'names a member twice')
  }
  return value
}

function refused(what: string, problem: string) {
  return new BadRequestError({ message: `The ${what} ${problem}.` })
}

const [quote, backslash, colon] = [0x22, 0x5c, 0x3a]

/**
 * Counts the colons outside of strings: one for each member as it was written. It looks at bytes, which cost half as
 * much as characters: in UTF-8, these three are never a part of another one.
 */
function countWritten(bytes: Uint8Array) {
  let count = 0
  let isInString = false
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === quote) isInString = !isInString
    // Only strings contain one, before a character that has no meaning here.
    else if (byte === backslash) at += 1
    else if (byte === colon && !isInString) count += 1
  }
  return count
}

/** Counts the members that parsing kept: fewer than were written means that a name was repeated. */
function countKept(value: unknown, levels: number, what: string): number {
  if (typeof value !== 'object' || value === null) return 0
  if (levels === 0) throw refused(what, 'is nested too deep')
  let members = 0
  if (Array.isArray(value)) {
    for (const item of value) members += countKept(item, levels - 1, what)
    return members
  }
  for (const name of Object.keys(value)) {
    // Spread or assigned later, it would replace the prototype of its target.
    if (name === '__proto__') throw refused(what, 'names __proto__')
    members += 1 + countKept((value as Record<string, unknown>)[name], levels - 1, what)
  }
  return members
}
