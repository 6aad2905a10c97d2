import type { Client } from 'pg'
import { hostAndPort } from '../observation/observation.ts'

/** The database cannot be used, and the message says what to do about it. It never carries the password. */
export class DatabaseConnectionError extends Error {
  override readonly name = 'DatabaseConnectionError'
}

type Target = Pick<Client, 'host' | 'port' | 'user' | 'database'>

const answers: Array<[RegExp, (target: Target) => string]> = [
  [
    /^(ECONNREFUSED|ENOENT|EHOSTUNREACH|ENETUNREACH)$/,
    (at) =>
      `Nothing answers at ${hostAndPort(at)}: start PostgreSQL there, or correct DATABASE_URL.`,
  ],
  [
    /^(ENOTFOUND|EAI_AGAIN)$/,
    (at) => `The host "${at.host}" is unknown: correct the host name in DATABASE_URL.`,
  ],
  [
    /^(ETIMEDOUT|timeout)$/,
    (at) =>
      `PostgreSQL at ${hostAndPort(at)} does not answer: check the address in DATABASE_URL, the network and the firewall.`,
  ],
  [
    /^28P01$/,
    (at) =>
      `PostgreSQL at ${hostAndPort(at)} refuses the password of "${at.user}": correct DATABASE_URL (special characters are percent-encoded).`,
  ],
  [
    /^28000$/,
    (at) =>
      `PostgreSQL at ${hostAndPort(at)} does not let "${at.user}" in: check that the role exists, and that pg_hba.conf allows this host (with ?sslmode=require if it wants TLS).`,
  ],
  [
    /^3D000$/,
    (at) =>
      `There is no database "${at.database}" at ${hostAndPort(at)}: create it (createdb ${at.database}), or correct DATABASE_URL.`,
  ],
  [
    /^53300$/,
    (at) =>
      `PostgreSQL at ${hostAndPort(at)} has no connection left: raise its max_connections, or run fewer instances.`,
  ],
  [
    /^25006$/,
    () =>
      'No host in DATABASE_URL takes writes: wait until one of them is the primary, or name the primary.',
  ],
  [
    /^57P03$/,
    (at) => `PostgreSQL at ${hostAndPort(at)} is starting or stopping: try again in a moment.`,
  ],
  [
    /^no-tls$/,
    (at) => `PostgreSQL at ${hostAndPort(at)} has no TLS: remove sslmode from DATABASE_URL.`,
  ],
  [
    /CERT|SIGNATURE|ALTNAME/,
    (at) =>
      `The TLS certificate of PostgreSQL at ${hostAndPort(at)} is not trusted: name its authority with ?sslrootcert=<file> in DATABASE_URL.`,
  ],
]

/** What is wrong between this server and PostgreSQL, in one sentence. */
export function explainConnectionFailure(
  cause: unknown,
  target: Target,
  variable = 'DATABASE_URL',
) {
  const reason = reasonOf(cause)
  const [, explain] = answers.find(([pattern]) => pattern.test(reason)) ?? []
  const message =
    explain?.(target) ?? `Cannot use PostgreSQL at ${hostAndPort(target)}: ${messageOf(cause)}`
  return new DatabaseConnectionError(message.replaceAll('DATABASE_URL', variable), { cause })
}

function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return ''
  if (/does not support SSL/i.test(cause.message)) return 'no-tls'
  if (/timeout/i.test(cause.message)) return 'timeout'
  if ('code' in cause && typeof cause.code === 'string') return cause.code
  return cause instanceof AggregateError ? reasonOf(cause.errors[0]) : ''
}

function messageOf(cause: unknown) {
  return cause instanceof Error ? cause.message : String(cause)
}

/** A migration that cannot be applied. The message names the file, and the place in it. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError'

  static at({ source, name, sql }: { source: string; name: string; sql: string }, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    return new MigrationError(`${source}/${name}${placeIn(sql, cause)}: ${reason}`, { cause })
  }
}

/** PostgreSQL counts characters from 1. Failures at run time, such as a duplicate row, have no position. */
function placeIn(sql: string, cause: unknown) {
  if (!(cause instanceof Error && 'position' in cause && cause.position)) return ''
  const before = Array.from(sql)
    .slice(0, Number(cause.position) - 1)
    .join('')
    .split('\n')
  return `:${before.length}:${(before.at(-1) ?? '').length + 1}`
}
