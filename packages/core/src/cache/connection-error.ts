/** The cache cannot be used, and the message says what to do about it. It never carries the password. */
export class CacheConnectionError extends Error {
  override readonly name = 'CacheConnectionError'
}

interface Target {
  host: string
  port: number
}

type Explain = (place: string, reason: string) => string

const answers: Array<[RegExp, Explain]> = [
  [
    /^OOM/,
    (place) =>
      `The cache at ${place} is full and refuses writes: raise its maxmemory, or remove what else it holds.`,
  ],
  [
    /^READONLY/,
    (place) =>
      `The cache at ${place} is a read-only replica and refuses writes: name its primary in CACHE_URL.`,
  ],
  [
    /^NOPERM|ACL failure|user executing the script/,
    (place, reason) =>
      `The cache at ${place} refuses a command, key or channel to the user of CACHE_URL (${reason}): give the user the rights that docs/guide/cache.md lists.`,
  ],
  [
    /unknown command/i,
    (place, reason) =>
      `The cache at ${place} is too old (${reason}): use Redis from 6.2, or Valkey.`,
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
    /CERT|SIGNATURE|ALTNAME/,
    (place) =>
      `The TLS certificate of the cache at ${place} is not trusted: name its authority in NODE_EXTRA_CA_CERTS.`,
  ],
  [
    /DB index|invalid DB/i,
    (place) => `The cache at ${place} has no database of that number: correct CACHE_URL.`,
  ],
]

/** What went wrong between here and the cache, in one sentence. */
export function explainCacheFailure(cause: unknown, { host, port }: Target) {
  const reason = reasonOf(cause)
  const place = `${host}:${port}`
  const [, explain] = answers.find(([pattern]) => pattern.test(reason)) ?? []
  const message =
    explain?.(place, reason) ??
    refused(cause, place) ??
    `The cache at ${place} does not answer (${reason}): check the address in CACHE_URL, and whether it takes redis:// or rediss://.`
  return new CacheConnectionError(message, { cause })
}

/** The server is there, and does not do what it is asked. */
function refused(cause: unknown, place: string) {
  if (!(cause instanceof Error) || cause.name !== 'ReplyError') return undefined
  return `The cache at ${place} refuses a command (${reasonOf(cause)}): correct its configuration, or CACHE_URL.`
}

function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause)
  if (cause instanceof AggregateError) return reasonOf(cause.errors[0])
  // An old server repeats what it was given, such as a key.
  const message = cause.message.replace(/, with args beginning with.*/s, '')
  return 'code' in cause ? `${String(cause.code)} ${message}` : message
}
