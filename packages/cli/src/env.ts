/** The variables that the command reads; an empty one is not set. */
export function readEnv() {
  const { DATABASE_URL, NODE_ENV = 'development', NO_COLOR } = process.env
  return { DATABASE_URL: DATABASE_URL || undefined, NODE_ENV, noColor: Boolean(NO_COLOR) }
}
