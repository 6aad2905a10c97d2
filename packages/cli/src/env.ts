/** The variables that the command reads; an empty one is not set. */
export function readEnv() {
  const { DATABASE_URL, NODE_ENV = 'development', NO_COLOR, npm_lifecycle_event } = process.env
  return {
    DATABASE_URL: DATABASE_URL || undefined,
    NODE_ENV,
    noColor: Boolean(NO_COLOR),
    /** The script that npm runs, or `npx`; undefined where npm does not run it. */
    npmScript: npm_lifecycle_event || undefined,
  }
}

/** All that the command was given: what it runs is given the same. */
export function inheritedEnvironment(): NodeJS.ProcessEnv {
  return { ...process.env }
}
