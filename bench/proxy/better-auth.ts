import { betterAuth } from 'better-auth'
import { getMigrations } from 'better-auth/db/migration'
import { Pool } from 'pg'
import { freePort } from '../harness/served.ts'
import { serveFetch } from './fetch-host.ts'

/**
 * better-auth's own handler on the same host, as in its documentation for Next's route handlers.
 */
const port = await freePort()
const baseURL = `http://127.0.0.1:${port}`
const options = {
  baseURL,
  database: new Pool({ connectionString: process.env.DATABASE_URL }),
  secret: 'wJ4xq7Lr0vT2nB8yKc5dFz1mGh6sPaEu9RiWoQtXbN3',
  emailAndPassword: { enabled: true },
  // By default, 100 requests in 10 s from an address.
  rateLimit: { enabled: false },
  telemetry: { enabled: false },
  logger: { level: 'error' as const },
}
const { runMigrations } = await getMigrations(options)
await runMigrations()
const auth = betterAuth(options)

const session = `${baseURL}/api/auth/get-session`
serveFetch((request) => {
  // The load uses the same path for every variant.
  if (new URL(request.url).pathname !== '/me') return auth.handler(request)
  return auth.handler(new Request(session, { headers: request.headers }))
}, port)
