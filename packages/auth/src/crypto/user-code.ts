import { randomInt } from 'node:crypto'

// Without 0, O, 1, I and L, which people read as one another: 31 characters, so 31 to the power 8 codes.
export const alphabet = '23456789ABCDEFGHJKMNPQRSTUVWXYZ'

/** What a waiting device shows, such as `K7QM-2XVH`. */
export function newUserCode() {
  const letters = Array.from({ length: 8 }, () => alphabet[randomInt(alphabet.length)]).join('')
  return dashed(letters)
}

// Letters are those of ASCII: others, such as ſ, would become one of them in upper case.
const eightLetters = /^[2-9A-HJKMNP-Za-hjkmnp-z]{8}$/

/** A code as somebody has typed it, in either case, with or without spaces and dashes. Null when it cannot be one. */
export function readUserCode(typed: string) {
  const letters = typed.replaceAll(/[\s\p{Pd}]/gu, '')
  return eightLetters.test(letters) ? dashed(letters.toUpperCase()) : null
}

function dashed(letters: string) {
  return `${letters.slice(0, 4)}-${letters.slice(4)}`
}
