/** Only a payload contains this character, so numbers are found without parsing. */
const marker = '@'
const digits = 16
// The JSON of both members is 200 bytes.
const fill = 'x'.repeat(164)

/** The emitted payload: 200 bytes of JSON with the number of the emission. */
export function numbered(n: number) {
  return { at: `${marker}${String(n).padStart(digits, '0')}`, fill }
}

/**
 * Reads the numbers of all payloads in a text. Returns its end, in which a number may have begun.
 */
export function readNumbers(text: string, got: (n: number) => void) {
  for (let at = text.indexOf(marker); at >= 0; at = text.indexOf(marker, at + 1)) {
    const end = at + 1 + digits
    if (end > text.length) return text.slice(at)
    got(Number(text.slice(at + 1, end)))
  }
  return ''
}
