import { createHmac, hkdfSync, type KeyObject } from 'node:crypto'

/** A key of its own for each use of one secret (HKDF-SHA256): what is made under one label means nothing under another. */
export function deriveKey(secret: string | KeyObject, label: string) {
  return Buffer.from(hkdfSync('sha256', secret, '', `svc-auth ${label}`, 32))
}

/** What stands for a value where the value itself must not be: nobody can guess it without the key. */
export function keyedHash(key: Buffer, value: string) {
  return createHmac('sha256', key).update(value).digest('base64url')
}
