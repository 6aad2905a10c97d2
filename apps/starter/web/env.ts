/** Where the API is, for this server. */
export const apiUrl = process.env.SVC_API_URL ?? 'http://localhost:8790'

/** Where the API is for a browser. A build contains this address, see next.config.ts. */
export const publicApiUrl = process.env.NEXT_PUBLIC_SVC_API_URL ?? 'http://localhost:8790'

/** `npm start` serves a build, as production does, but only to the developer. */
export const isOnThisMachine = /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:|\/|$)/.test(
  publicApiUrl,
)

export const isDevelopment = process.env.NODE_ENV === 'development'

/**
 * Streams connect to the API itself. A person is watching, so the first retry comes sooner than by
 * default.
 */
export const streamPlace = { host: publicApiUrl, reconnectDelay: 1000 }
