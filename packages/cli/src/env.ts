import { existsSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { parseEnv } from 'node:util'

/** The file of variables in the application's folder. */
export const envFile = '.env'

/** The variables that the command itself reads. An empty variable is not set. */
export function readEnv(given = process.env) {
  const { NODE_ENV = 'development', NO_COLOR, npm_lifecycle_event } = given
  return {
    NODE_ENV,
    noColor: Boolean(NO_COLOR),
    /** The script that npm runs, or `npx`; undefined without npm. */
    npmScript: npm_lifecycle_event || undefined,
  }
}

/** Where a user keeps the settings of programs. */
export function configFolder(given = process.env, home = homedir()) {
  const { XDG_CONFIG_HOME, APPDATA } = given
  // The standard has a relative folder ignored.
  if (XDG_CONFIG_HOME && isAbsolute(XDG_CONFIG_HOME)) return XDG_CONFIG_HOME
  if (process.platform === 'win32' && APPDATA) return APPDATA
  return join(home, '.config')
}

/** The variables in a file; empty if there is no file. */
export function readEnvFile(path = envFile): NodeJS.ProcessEnv {
  return existsSync(path) ? parseEnv(readFileSync(path, 'utf8')) : {}
}

/** The environment of the application: variables of the command win over those in the file. */
export function givenEnvironment(path = envFile): NodeJS.ProcessEnv {
  const inherited = inheritedEnvironment()
  const given = Object.keys(inherited).filter((name) => inherited[name])
  // The other variables in the file belong to the database in the file, and to its user.
  const others = ['DATABASE_URL_DIRECT', 'DATABASE_URL_REPLICA']
  const ofFile = isSet('DATABASE_URL', inherited) ? others : []
  const replaced = new Set([...given, ...ofFile].flatMap(formsOf))
  const inFile = Object.entries(readEnvFile(path)).filter(([name]) => !replaced.has(name))
  return { ...Object.fromEntries(inFile), ...inherited }
}

const ofSvc =
  /^(?:DATABASE_URL(?:_DIRECT|_REPLICA)?|CACHE_URL|SVC_AUTH_.+|SVC_MAIL_URL|SVC_SMS_URL|SVC_OPS_METRICS_TOKEN|SVC_PROXY_SECRET)$/

/**
 * The two names that set one variable: its own, and that of its file. A variable of the application
 * with such a name may mean something else.
 */
function formsOf(given: string) {
  const name = given.replace(/_FILE$/, '')
  return ofSvc.test(name) ? [name, `${name}_FILE`] : [given]
}

/** Whether a variable is set, directly or by a file, as `defineEnv` of @svc/core reads it. */
export function isSet(name: string, given: Record<string, string | undefined>) {
  return Boolean(given[name] || given[`${name}_FILE`])
}

/** The whole environment of this command, which its child processes also get. */
export function inheritedEnvironment(): NodeJS.ProcessEnv {
  return { ...process.env }
}
