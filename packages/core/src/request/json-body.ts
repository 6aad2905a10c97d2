import { isUtf8 } from 'node:buffer'
import { BadRequestError } from '../errors/errors.ts'

// Deep enough for any real document, shallow enough that no recursive reader of the value overflows its stack.
const deepest = 64

/** Parses a received body. What JSON.parse would take silently, two members of one name, is refused. */
export function parseJson(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw malformed()
  const text = bytes.toString('utf8')
  const value = parse(text)
  const kept = countKept(value, 0)
  // Counting every colon is quick, and enough unless a string holds one too.
  if (countColons(text) !== kept && countWritten(text) !== kept) {
    throw new BadRequestError({ message: 'The body names a member twice.' })
  }
  return value
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The parser's message quotes the body, and the body may hold a password.
    throw malformed()
  }
}

function malformed() {
  return new BadRequestError({ message: 'The body is not valid JSON.' })
}

function countColons(text: string) {
  let count = 0
  for (let at = text.indexOf(':'); at >= 0; at = text.indexOf(':', at + 1)) count += 1
  return count
}

/** Counts the colons outside of strings: one for each member as it was written. */
function countWritten(text: string) {
  let count = 0
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (character === '"') at = endOfString(text, at)
    else if (character === ':') count += 1
  }
  return count
}

function endOfString(text: string, start: number) {
  let end = text.indexOf('"', start + 1)
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end
}

function isEscaped(text: string, at: number) {
  let slashes = 0
  while (text[at - 1 - slashes] === '\\') slashes += 1
  return slashes % 2 === 1
}

/** Counts the members that parsing kept: fewer than were written means that a name came twice. */
function countKept(value: unknown, depth: number): number {
  if (typeof value !== 'object' || value === null) return 0
  if (depth === deepest) {
    throw new BadRequestError({ message: `The body is nested more than ${deepest} deep.` })
  }
  if (Array.isArray(value)) return countInList(value, depth + 1)
  let members = 0
  for (const name of Object.keys(value)) {
    // Spread or assigned later, it would replace the prototype of whatever takes it.
    if (name === '__proto__') throw new BadRequestError({ message: 'The body names __proto__.' })
    members += 1 + countKept((value as Record<string, unknown>)[name], depth + 1)
  }
  return members
}

function countInList(list: unknown[], depth: number) {
  let members = 0
  for (const item of list) members += countKept(item, depth)
  return members
}
