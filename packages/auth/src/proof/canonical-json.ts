// As deep as a body may be that the server reads.
const deepest = 64

/**
 * The one text that a value has in a body that a device signs: no white space, keys ascending by their UTF-8
 * bytes, integers of 64 bits for numbers. As in `JSON.stringify`, a member that is undefined is left out.
 */
export function canonicalJson(value: unknown): string {
  return write(value, 0)
}

function write(value: unknown, depth: number): string {
  if (typeof value === 'string') return writeText(value)
  if (typeof value === 'bigint' || typeof value === 'number') return writeInteger(value)
  if (typeof value === 'boolean' || value === null) return String(value)
  if (typeof value !== 'object') throw new TypeError(`Canonical JSON has no ${typeof value}.`)
  if (depth === deepest) throw new TypeError(`The value is nested more than ${deepest} deep.`)
  return Array.isArray(value) ? writeItems(value, depth + 1) : writeMembers(value, depth + 1)
}

/** Of a string, `JSON.stringify` writes what RFC 8785 asks for: `\u00xx` in lower case, and all else as it is. */
function writeText(text: string) {
  if (!text.isWellFormed()) throw new TypeError('The value has half of a surrogate pair in it.')
  return JSON.stringify(text)
}

function writeInteger(value: bigint | number) {
  const isExact =
    typeof value === 'bigint' ? BigInt.asIntN(64, value) === value : Number.isSafeInteger(value)
  if (!isExact) {
    throw new TypeError('Canonical JSON has integers of 64 bits: above 2^53 as a bigint.')
  }
  return String(value)
}

function writeItems(items: readonly unknown[], depth: number) {
  return `[${items.map((item) => write(item, depth)).join(',')}]`
}

function writeMembers(value: object, depth: number) {
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) {
    throw new TypeError('Canonical JSON has plain objects only.')
  }
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .toSorted(([one], [other]) => compareAsUtf8(one, other))
    .map(([name, member]) => `${writeText(name)}:${write(member, depth)}`)
  return `{${members.join(',')}}`
}

/** By UTF-8 bytes, which is by code points; JavaScript compares UTF-16, where a surrogate is less than U+E000. */
function compareAsUtf8(one: string, other: string) {
  const length = Math.min(one.length, other.length)
  for (let at = 0; at < length; at++) {
    const difference = rank(one.charCodeAt(at)) - rank(other.charCodeAt(at))
    if (difference !== 0) return difference
  }
  return one.length - other.length
}

/** Puts the surrogates, which stand for what is above U+FFFF, behind all other units. */
function rank(unit: number) {
  if (unit < 0xd800) return unit
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800
}
