/** The cache cannot be used, and the message says what to do about it. It never carries the password. */
export class CacheConnectionError extends Error {
    name = 'CacheConnectionError';
}
const answers = [
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
        (place) => `The cache at ${place} refuses the user or password: correct CACHE_URL (special characters are percent-encoded).`,
    ],
    [
        /CERT|SIGNATURE|ALTNAME/,
        (place) => `The TLS certificate of the cache at ${place} is not trusted: name its authority in NODE_EXTRA_CA_CERTS.`,
    ],
    [
        /DB index|invalid DB/i,
        (place) => `The cache at ${place} has no database of that number: correct CACHE_URL.`,
    ],
];
/** What went wrong between here and the cache, in one sentence. */
export function explainCacheFailure(cause, { host, port }) {
    const reason = reasonOf(cause);
    const place = `${host}:${port}`;
    const [, explain] = answers.find(([pattern]) => pattern.test(reason)) ?? [];
    const message = explain?.(place) ??
        `The cache at ${place} does not answer (${reason}): check the address in CACHE_URL, and whether it takes redis:// or rediss://.`;
    return new CacheConnectionError(message, { cause });
}
function reasonOf(cause) {
    if (!(cause instanceof Error))
        return String(cause);
    if (cause instanceof AggregateError)
        return reasonOf(cause.errors[0]);
    return 'code' in cause ? `${String(cause.code)} ${cause.message}` : cause.message;
}
