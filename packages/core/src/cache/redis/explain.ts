import { hostAndPort } from '../../observation/observation.ts'
import { CacheConnectionError } from '../connection-error.ts'
import type { RedisAddress } from './address.ts'
import { isReply } from './reply.ts'

type Explain = (place: string, reason: string) => string

const answers: Array<[RegExp, Explain]> = [
  [
    /^sentinel: .*(NOAUTH|WRONGPASS)/,
    (place) =>
      `The Sentinels at ${place} refuse the user or password: correct sentinelUsername and sentinelPassword in CACHE_URL.`,
  ],
  [
    /^sentinel: .*unknown command/i,
    (place) => `The server at ${place} is not a Sentinel: write redis:// in CACHE_URL.`,
  ],
  [
    /^sentinel: .*No such master/,
    (place) => `The Sentinels at ${place} know no primary of this name: correct name in CACHE_URL.`,
  ],
  [
    /^SENTINEL/,
    (place) =>
      `The server at ${place} is a Sentinel: write redis+sentinel:// in CACHE_URL, and ?name= with the name of the primary.`,
  ],
  [
    /^(MOVED|CROSSSLOT|CLUSTER) /,
    (place) => `The cache at ${place} is a node of a Cluster: write redis+cluster:// in CACHE_URL.`,
  ],
  [
    /cluster support disabled/,
    (place) => `The cache at ${place} is not a Cluster: write redis:// in CACHE_URL.`,
  ],
  [
    /^OOM/,
    (place) =>
      `The cache at ${place} is full and refuses writes: raise its maxmemory, or remove other data from it.`,
  ],
  [
    /^READONLY/,
    (place) =>
      `The cache at ${place} is a read-only replica and refuses writes: name its primary in CACHE_URL, or its Sentinels.`,
  ],
  [
    /^NOPERM|ACL failure|user executing the script/,
    (place, reason) =>
      `The cache at ${place} refuses a command, key or channel to the user of CACHE_URL (${reason}): give the user the rights that docs/guide/cache.md lists.`,
  ],
  [
    /unknown command/i,
    (place, reason) =>
      `The cache at ${place} is too old (${reason}): use Redis from 6.2, from 7.0 in a Cluster, or Valkey.`,
  ],
  [
    /CERTIFICATE_REQUIRED|HANDSHAKE_FAILURE/,
    (place) =>
      `The cache at ${place} asks for a client certificate, which is not supported: set tls-auth-clients no, and use a user with a password.`,
  ],
  [
    /ALTNAME/,
    (place) =>
      `The TLS certificate of the cache at ${place} is for another name: correct the host in CACHE_URL.`,
  ],
  [
    /ECONNREFUSED|EHOSTUNREACH|ENETUNREACH/,
    (place) => `Nothing answers at ${place}: start Redis or Valkey there, or correct CACHE_URL.`,
  ],
  [
    /ENOTFOUND|EAI_AGAIN/,
    (place) => `The host of ${place} is unknown: correct the host name in CACHE_URL.`,
  ],
  [
    /WRONGPASS|NOAUTH|invalid password|AUTH/,
    (place) =>
      `The cache at ${place} refuses the user or password: correct CACHE_URL (special characters are percent-encoded).`,
  ],
  [
    /CERT|SIGNATURE/,
    (place) =>
      `The TLS certificate of the cache at ${place} is not trusted: name its authority in NODE_EXTRA_CA_CERTS.`,
  ],
  [
    /DB index|invalid DB/i,
    (place) => `The cache at ${place} has no database with that number: correct CACHE_URL.`,
  ],
]

/** What is wrong between this server and the cache, in one sentence. */
export function explainCacheFailure(cause: unknown, { nodes }: Pick<RedisAddress, 'nodes'>) {
  const reason = reasonOf(cause)
  const place = nodes.map(hostAndPort).join(', ')
  const [, explain] = answers.find(([pattern]) => pattern.test(reason)) ?? []
  const message =
    explain?.(place, reason) ??
    refused(cause, place) ??
    `The cache at ${place} does not answer (${reason}): check the address in CACHE_URL, and whether it takes redis:// or rediss://.`
  return new CacheConnectionError(message, { cause })
}

/** The server is there, but refuses a command. */
function refused(cause: unknown, place: string) {
  if (!isReply(cause)) return undefined
  return `The cache at ${place} refuses a command (${reasonOf(cause)}): correct its configuration, or CACHE_URL.`
}

/** The error's own words, with its code. */
export function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause)
  if (cause instanceof AggregateError) return reasonOf(cause.errors[0])
  // An old server repeats the arguments, such as a key.
  const message = cause.message.replace(/, with args beginning with.*/s, '')
  return 'code' in cause ? `${String(cause.code)} ${message}` : message
}
