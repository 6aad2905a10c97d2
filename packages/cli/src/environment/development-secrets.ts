import { randomBytes } from 'node:crypto'
import { appendFileSync, chmodSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { isSet } from '../env.ts'
import { CommandFailure } from '../failure.ts'
import { secrets } from './secrets.ts'

const secretsFile = '.svc/secrets.env'

/** The proxy guard is for deployments. Here both parts are on one machine. */
const needed = Object.fromEntries(
  secrets
    .filter(({ name }) => name !== 'SVC_PROXY_SECRET')
    .map(({ name, make }) => [name, () => make('development')]),
)

/** The account for signing in during development. The server creates it, as its superadmin. */
const firstAdmin = {
  SVC_AUTH_ADMIN_EMAIL: () => 'admin@example.com',
  SVC_AUTH_ADMIN_PASSWORD: () => randomBytes(12).toString('base64url'),
}

type Made = Record<string, () => string>

type Environment = NodeJS.ProcessEnv

/**
 * The secrets that development needs and that you have not set: generated once, then read from the
 * file. In production there are none, so that a missing secret refuses to boot.
 */
export function developmentSecrets(given: Environment, file = secretsFile): Environment {
  if (given['NODE_ENV'] === 'production') return {}
  const wanted: Made = namesAdmin(given) ? needed : { ...needed, ...firstAdmin }
  const missing = Object.entries(wanted).filter(([name]) => !isSet(name, given))
  return Object.fromEntries(generate(Object.fromEntries(missing), file))
}

/** If you name an account of your own, in any form, the generated one isn't added. */
function namesAdmin(given: Environment) {
  return Object.keys(given).some((name) => name.startsWith('SVC_AUTH_ADMIN_') && given[name])
}

function generate(made: Made, file: string) {
  const known = read(file)
  const lines = Object.entries(made)
    .filter(([name]) => !known.has(name))
    .map(([name, make]) => `${name}=${make()}\n`)
  // The last line may have been written by hand, without a line end.
  if (lines.length > 0) append(file, known.size > 0 ? `\n${lines.join('')}` : lines.join(''))
  // Read again: if two starts append at once, both must use the first line.
  return Object.keys(made).map((name) => [name, read(file).get(name)])
}

function append(file: string, text: string) {
  try {
    mkdirSync(dirname(file), { recursive: true })
    appendFileSync(file, text, { mode: 0o600 })
    // The mode above applies only to a new file.
    chmodSync(file, 0o600)
  } catch {
    throw new CommandFailure(
      `The secrets for development cannot be written to ${resolve(file)}: make its folder writable for this user. In production, set NODE_ENV=production and give the secrets as variables.`,
    )
  }
}

function read(file: string) {
  const found = new Map<string, string>()
  if (!existsSync(file)) return found
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    const [, name, value] = /^([A-Z_]+)=(.+)$/.exec(line.trim()) ?? []
    if (name && value && !found.has(name)) found.set(name, value)
  }
  return found
}
