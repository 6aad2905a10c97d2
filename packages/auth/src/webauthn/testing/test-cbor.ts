/** A map is the list of its entries. */
export type Item = number | string | Buffer | Entries
export type Entries = readonly (readonly [key: number | string, value: Item])[]

/** CBOR of what an authenticator writes: integers, texts, bytes and maps (RFC 8949). */
export function cbor(item: Item): Buffer {
  if (typeof item === 'number') return item < 0 ? head(1, -1 - item) : head(0, item)
  if (typeof item === 'string') {
    return Buffer.concat([head(3, Buffer.byteLength(item)), Buffer.from(item)])
  }
  if (Buffer.isBuffer(item)) return Buffer.concat([head(2, item.length), item])
  return Buffer.concat([head(5, item.length), ...item.flat().map(cbor)])
}

function head(major: number, value: number) {
  if (value < 24) return Buffer.from([(major << 5) | value])
  if (value < 256) return Buffer.from([(major << 5) | 24, value])
  return Buffer.from([(major << 5) | 25, value >> 8, value & 255])
}
