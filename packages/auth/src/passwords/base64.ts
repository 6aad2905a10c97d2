const form = /^[A-Za-z0-9+/]*={0,2}$/

/** Base64 of either alphabet, or passlib's, which writes a full stop for a plus. Null for what is none. */
export function fromBase64(text: string) {
  const standard = text.replaceAll('.', '+').replaceAll('-', '+').replaceAll('_', '/')
  return form.test(standard) ? Buffer.from(standard, 'base64') : null
}

/** Without padding, as PHC strings have it. */
export function toBase64(bytes: Uint8Array) {
  return Buffer.from(bytes).toString('base64').replace(/=+$/, '')
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const bcryptAlphabet = `./${letters}0123456789`
const usualAlphabet = `${letters}0123456789+/`

/** bcrypt has the bits where base64 has them, and an alphabet of its own. */
export function fromBcryptBase64(text: string) {
  const usual = text.replaceAll(/./g, (each) => usualAlphabet[bcryptAlphabet.indexOf(each)] ?? '')
  return Buffer.from(usual, 'base64')
}
