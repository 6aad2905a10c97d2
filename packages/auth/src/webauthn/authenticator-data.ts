import { readCbor } from './cbor.ts'

const headerBytes = 37
const flagsAt = 32
const hasCredential = 0x40
const hasExtensions = 0x80
const aaguidBytes = 16

/**
 * Reads authenticator data (WebAuthn Level 3, section 6.1) to its end, and returns the bytes of the credential's key.
 * Throws if bytes are missing or left over: the library accepts a key or an extension that was cut off.
 */
export function readAuthenticatorData(bytes: Buffer) {
  const flags = bytes.readUInt8(flagsAt)
  let end = headerBytes
  let key: Buffer | null = null
  if (flags & hasCredential) {
    const idAt = end + aaguidBytes + 2
    const keyAt = idAt + bytes.readUInt16BE(idAt - 2)
    end = readCbor(bytes, keyAt).end
    key = bytes.subarray(keyAt, end)
  }
  if (flags & hasExtensions) end = readCbor(bytes, end).end
  if (end !== bytes.length) throw new RangeError('It has another length than it says.')
  return { key }
}
