import { defineEnv, optional, plain, text } from '@svc/core/env'

/**
 * Where the database is, for a command that starts no server, and so needs none of the other
 * variables. It isn't in `env.ts`, which `npm start` loads before @svc/core is built.
 */
export const readDatabaseEnv = defineEnv({
  DATABASE_URL: optional,
  DATABASE_URL_DIRECT: optional,
  NODE_ENV: plain(text('development')),
})
