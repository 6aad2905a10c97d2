import { randomInt } from 'node:crypto'

/** Six digits for a person to type, each of the million as likely as the others. */
export function newCode() {
  return String(randomInt(1_000_000)).padStart(6, '0')
}
