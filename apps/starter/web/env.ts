/** Where the API is, for this server. */
export const apiUrl = process.env.SVC_API_URL ?? 'http://localhost:8790'

/** Where the API is for a browser: a build has it written in, see next.config.ts. */
export const publicApiUrl = process.env.NEXT_PUBLIC_SVC_API_URL ?? 'http://localhost:8790'

/** `npm start` serves a build, as production does, but to the developer. */
export const isOnThisMachine = /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:|\/|$)/.test(
  publicApiUrl,
)

export const isDevelopment = process.env.NODE_ENV === 'development'

/** Streams go to the API itself. A person watches them, so the first attempt comes sooner than it would. */
export const streamPlace = { host: publicApiUrl, reconnectDelay: 1000 }
