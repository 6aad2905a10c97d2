/** The cache cannot be used, and the message says what to do about it. It never carries the password. */
export class CacheConnectionError extends Error {
  override readonly name = 'CacheConnectionError'
}
