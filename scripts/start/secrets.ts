import { randomBytes } from 'node:crypto'
import { appendFileSync, chmodSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'

const secretsFile = '.svc/secrets.env'

const needed = ['SVC_AUTH_VERIFICATION_TOKEN_SECRET', 'SVC_AUTH_SESSION_SECRET']

type Environment = NodeJS.ProcessEnv

/**
 * The secrets that development needs and nobody set: generated once, then read from the file.
 * In production there are none, so that a missing secret refuses to boot.
 */
export function developmentSecrets(given: Environment, file = secretsFile): Environment {
  if (given['NODE_ENV'] === 'production') return {}
  const missing = needed.filter((name) => !given[name])
  return Object.fromEntries(generate(missing, file))
}

function generate(names: string[], file: string) {
  const known = read(file)
  const lines = names
    .filter((name) => !known.has(name))
    .map((name) => `${name}=${randomBytes(32).toString('base64url')}\n`)
  if (lines.length > 0) {
    mkdirSync(dirname(file), { recursive: true })
    // The line before may have been written by hand, without an end.
    appendFileSync(file, known.size > 0 ? `\n${lines.join('')}` : lines.join(''), { mode: 0o600 })
    // The mode above is for a new file only.
    chmodSync(file, 0o600)
  }
  // Read again: of two starts that append at once, both must take the first line.
  return names.map((name) => [name, read(file).get(name)])
}

function read(file: string) {
  const secrets = new Map<string, string>()
  if (!existsSync(file)) return secrets
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    const [, name, value] = /^([A-Z_]+)=(.+)$/.exec(line.trim()) ?? []
    if (name && value && !secrets.has(name)) secrets.set(name, value)
  }
  return secrets
}
