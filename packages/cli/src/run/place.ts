import { isAbsolute, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * The place at the beginning of a stack, which is that of a syntax error; null if the stack begins
 * with the message.
 */
export function headOf(stack: string) {
  const [first = ''] = stack.split('\n', 1)
  return /^(?:file:.+|\/.+|[A-Z]:\\.+):\d+$/.test(first) ? first : null
}

/** A place as a path relative to the current folder, if it is below that. */
export function shownPlace(place: string) {
  const path = place.startsWith('file:') ? fileURLToPath(place) : place
  const fromHere = relative(process.cwd(), path)
  return isAbsolute(fromHere) || fromHere.startsWith('..') ? path : fromHere
}
