import { BadRequestError } from '../errors/contract.ts'

// One for all: making a decoder costs more than decoding a small body.
const utf8 = new TextDecoder('utf8', { fatal: true, ignoreBOM: true })

/**
 * Parses JSON from outside. It refuses two members of the same name, which JSON.parse accepts silently. Error messages
 * call the text `what`. 64 levels are enough for any real document, and few enough that no recursive reader of the
 * value overflows its stack.
 */
export function parseJson(bytes: Uint8Array, what = 'body', deepest = 64): unknown {
  let text: string
  let value: unknown
  try {
    text = utf8.decode(bytes)
    value = JSON.parse(text)
  } catch {
    // The parser's message quotes the text, and the text may hold a password.
    throw refused(what, 'is not valid JSON')
  }
  if (countKept(value, deepest, what) < countWritten(text)) {
    throw refused(what, 'names a member twice')
  }
  return value
}

function refused(what: string, problem: string) {
  return new BadRequestError({ message: `The ${what} ${problem}.` })
}

/** Counts the colons outside of strings: one for each member as it was written. */
function countWritten(text: string) {
  let count = 0
  let isInString = false
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (character === '"') isInString = !isInString
    // Only strings have one, before a character that means nothing here.
    else if (character === '\\') at += 1
    else if (character === ':' && !isInString) count += 1
  }
  return count
}

/** Counts the members that parsing kept: fewer than were written means that a name came twice. */
function countKept(value: unknown, levels: number, what: string): number {
  if (typeof value !== 'object' || value === null) return 0
  if (levels === 0) throw refused(what, 'is nested too deep')
  let members = 0
  if (Array.isArray(value)) {
    for (const item of value) members += countKept(item, levels - 1, what)
    return members
  }
  for (const name of Object.keys(value)) {
    // Spread or assigned later, it would replace the prototype of whatever takes it.
    if (name === '__proto__') throw refused(what, 'names __proto__')
    members += 1 + countKept((value as Record<string, unknown>)[name], levels - 1, what)
  }
  return members
}
