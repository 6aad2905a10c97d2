import { existsSync, readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'

/** The file of variables in the application's folder. */
export const envFile = '.env'

/** The variables that the command reads; an empty one is not set. */
export function readEnv(given = process.env) {
  const {
    DATABASE_URL,
    DATABASE_URL_DIRECT,
    NODE_ENV = 'development',
    NO_COLOR,
    npm_lifecycle_event,
  } = given
  return {
    DATABASE_URL: DATABASE_URL || undefined,
    DATABASE_URL_DIRECT: DATABASE_URL_DIRECT || undefined,
    NODE_ENV,
    noColor: Boolean(NO_COLOR),
    /** The script that npm runs, or `npx`; undefined where npm does not run it. */
    npmScript: npm_lifecycle_event || undefined,
  }
}

/** What stands in a file of variables; nothing where there is none. */
export function readEnvFile(path = envFile): NodeJS.ProcessEnv {
  return existsSync(path) ? parseEnv(readFileSync(path, 'utf8')) : {}
}

/** What the application runs with: what was given with the command counts before what stands in the file. */
export function givenEnvironment(path = envFile): NodeJS.ProcessEnv {
  const inherited = inheritedEnvironment()
  const inFile = readEnvFile(path)
  // The second address in the file is that of the database in the file, and of its user.
  if (inherited['DATABASE_URL']) delete inFile['DATABASE_URL_DIRECT']
  return { ...inFile, ...inherited }
}

/** All that the command was given: what it runs is given the same. */
export function inheritedEnvironment(): NodeJS.ProcessEnv {
  return { ...process.env }
}
