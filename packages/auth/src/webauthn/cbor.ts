/** The part of CBOR (RFC 8949) that authenticators write. */
export type Cbor = number | string | boolean | null | Buffer | Cbor[] | CborMap
export type CborMap = Map<number | string, Cbor>

// A statement of several makers, with lists of certificates, is half as deep.
const deepest = 16

interface Reading {
  readonly bytes: Buffer
  at: number
}

/**
 * Reads one item and returns it with its end. Throws if there is no item, or if it announces more bytes than there are:
 * the library takes the rest as a string that ends early. It supports no tags, no fractions and no indefinite lengths,
 * because the CBOR of CTAP2 has none.
 */
export function readCbor(bytes: Buffer, start = 0) {
  const reading = { bytes, at: start }
  const value = readItem(reading, 0)
  return { value, end: reading.at }
}

function readItem(reading: Reading, depth: number): Cbor {
  if (depth > deepest) throw new RangeError('It is nested too deep.')
  const [first] = take(reading, 1)
  const major = first >> 5
  if (major === 7) return readSimple(first)
  const argument = readArgument(reading, first & 0x1f)
  if (major === 0) return argument
  if (major === 1) return -1 - argument
  if (major === 2) return take(reading, argument)
  if (major === 3) return take(reading, argument).toString('utf8')
  if (major === 4) return readList(reading, argument, depth)
  if (major === 5) return readMap(reading, argument, depth)
  throw new TypeError('It has a tag.')
}

/** Callers that read the first byte must ask for at least one. */
function take(reading: Reading, length: number) {
  const { bytes, at } = reading
  if (length > bytes.length - at) throw new RangeError('It ends too early.')
  reading.at = at + length
  return bytes.subarray(at, reading.at) as Buffer & [number]
}

function readSimple(first: number) {
  if (first === 0xf4) return false
  if (first === 0xf5) return true
  if (first === 0xf6 || first === 0xf7) return null
  throw new TypeError('It has a fraction.')
}

/** A number, or a length: in the first byte, or in the one, two or four after it. */
function readArgument(reading: Reading, info: number) {
  if (info < 24) return info
  if (info > 26) throw new RangeError('It has a number that is too long.')
  const length = 2 ** (info - 24)
  return take(reading, length).readUIntBE(0, length)
}

function readList(reading: Reading, length: number, depth: number) {
  const list: Cbor[] = []
  while (list.length < length) list.push(readItem(reading, depth + 1))
  return list
}

function readMap(reading: Reading, length: number, depth: number) {
  const map: CborMap = new Map()
  for (let count = 0; count < length; count++) {
    const name = readItem(reading, depth + 1)
    if (typeof name !== 'number' && typeof name !== 'string') throw new TypeError('It has no name.')
    if (map.has(name)) throw new TypeError('It has a member twice.')
    map.set(name, readItem(reading, depth + 1))
  }
  return map
}
