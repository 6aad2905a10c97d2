/** The name of an error's class. What a program has made of it may be a text of any kind, and is not repeated. */
export function errorType(error: unknown) {
  const name = error instanceof Error ? error.name : ''
  return /^[A-Z]\w{0,79}$/.test(name) ? name : 'Error'
}
