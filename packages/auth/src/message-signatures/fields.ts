import {
  type Dictionary,
  isInnerList,
  type Parameters,
  parseDictionary,
  serializeDictionary,
} from 'structured-headers'

// A signature of ours has 400 bytes with ES256 and 700 with RS256, and a gateway may add its own.
const longest = 8192

/** A structured field (RFC 9651) of the request that is a dictionary. Null if it is none. */
export function readDictionary(lines: readonly string[] | undefined): Dictionary | null {
  const text = lines?.join(', ') ?? ''
  if (text === '' || text.length > longest) return null
  try {
    const members = parseDictionary(text)
    return isCanonical(text, members) ? members : null
  } catch {
    return null
  }
}

/**
 * The parser takes the last of two members of a name, and skips stray bits of base64. Then two
 * readers could see two different signatures. White space may differ.
 */
function isCanonical(text: string, members: Dictionary) {
  return unspaced(serializeDictionary(members)) === unspaced(text)
}

const unspaced = (text: string) => text.replaceAll(/[ \t]/g, '')

/** The bytes of a member. Null if it is something else. */
export function bytesOf(member: ReturnType<Dictionary['get']>): Buffer | null {
  if (!member || isInnerList(member)) return null
  const [value, parameters] = member
  return value instanceof ArrayBuffer && parameters.size === 0 ? Buffer.from(value) : null
}

/** A parameter that is text. Null if it is missing or something else. */
export function textOf(parameters: Parameters, name: string): string | null {
  const value = parameters.get(name)
  return typeof value === 'string' ? value : null
}
