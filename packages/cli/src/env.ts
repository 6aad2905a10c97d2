/** The variables that the command reads; an empty one is not set. */
export function readEnv() {
  const { DATABASE_URL, NODE_ENV = 'development', NO_COLOR, npm_lifecycle_event } = process.env
  return {
    DATABASE_URL: DATABASE_URL || undefined,
    NODE_ENV,
    noColor: Boolean(NO_COLOR),
    isRunByNpm: Boolean(npm_lifecycle_event),
  }
}

/** All that the command was given: what it runs is given the same. */
export function inheritedEnvironment(): NodeJS.ProcessEnv {
  return { ...process.env }
}
