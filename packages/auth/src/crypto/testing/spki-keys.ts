/** Builds keys byte by byte, the wrong ones too. For tests only. */
export function der(tag: number, ...parts: Uint8Array[]) {
  const content = Buffer.concat(parts)
  return Buffer.concat([Buffer.from([tag, ...lengthOf(content.length)]), content])
}

function lengthOf(length: number) {
  if (length < 0x80) return [length]
  return length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
}

export const hex = (text: string) => Buffer.from(text, 'hex')

export const sequence = (...parts: Uint8Array[]) => der(0x30, ...parts)
export const oid = (text: string) => der(0x06, hex(text))
export const absent = hex('0500')

export const bitString = (bytes: Uint8Array, unusedBits = 0) =>
  der(0x03, Buffer.from([unusedBits]), bytes)

/** A DER integer, of as many bytes as its sign needs. */
export function integer(value: bigint) {
  const digits = value.toString(16)
  const bytes = hex(digits.padStart(digits.length + (digits.length % 2), '0'))
  return der(0x02, (bytes[0] ?? 0) >= 0x80 ? Buffer.concat([hex('00'), bytes]) : bytes)
}

export const rsaEncryption = sequence(oid('2a864886f70d010101'), absent)
export const ecOnP256 = sequence(oid('2a8648ce3d0201'), oid('2a8648ce3d030107'))

export const spki = (algorithm: Uint8Array, key: Uint8Array) => sequence(algorithm, bitString(key))

export function rsa(modulus: bigint, exponent = 65_537n) {
  return spki(rsaEncryption, sequence(integer(modulus), integer(exponent)))
}

export const ec = (point: Uint8Array) => spki(ecOnP256, point)

/**
 * Made as the flawed library made its own: both primes are k·M + (65537^a mod M), with M the product of the first 126
 * primes.
 */
export const rocaModulus = BigInt(
  `0x${[
    'd6e2e8575d2a6293b477a20a3e7641ff13c5ada8908b4dee12154b9412814b25486179deec941f1adecf5aa25c',
    '88c0401a4a238d12cdd0c32e3b7d3b0c3ef58638cff711e084fe0ccd7526a6908dcfd44cb041029748de1c5dab',
    'cc543dc8edeb01f90097722105b451c6689556d34433e111ac7b3761d5e11066537891c58226583b2b19027d0d',
    '2b9f3059225f2871581fec98273b1ed54130801c61079503cdf5d7d20b8ea44d65c506a4344e8bee1e70260439',
    '11b644b474f8a863b5eef0877d61116f66715f2d702dd90fd6ade95f86a2e603c272cc6218257a6af85cecc531',
    'f3e9cdfd96346cb823f154d61bcbabccc652482dabf3598ada62056ef4631d',
  ].join('')}`,
)
