/**
 * The name of an error's class. A name that a program has set may be any text, and is not repeated.
 */
export function errorType(error: unknown) {
  const name = error instanceof Error ? error.name : ''
  return /^[A-Z]\w{0,79}$/.test(name) ? name : 'Error'
}
