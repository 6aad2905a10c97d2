import { betterAuth } from 'better-auth'
import { getMigrations } from 'better-auth/db/migration'
import { Pool } from 'pg'
import { freePort } from '../harness/served.ts'
import { serveFetch } from './fetch-host.ts'

/** better-auth's own handler on the same host, as its documentation has it for route handlers of Next. */
const port = await freePort()
const baseURL = `http://127.0.0.1:${port}`
const options = {
  baseURL,
  database: new Pool({ connectionString: process.env.DATABASE_URL }),
  secret: 'wJ4xq7Lr0vT2nB8yKc5dFz1mGh6sPaEu9RiWoQtXbN3',
  emailAndPassword: { enabled: true },
  // 100 requests in 10 s from an address, unless told otherwise.
  rateLimit: { enabled: false },
  telemetry: { enabled: false },
  logger: { level: 'error' as const },
}
const { runMigrations } = await getMigrations(options)
await runMigrations()
const auth = betterAuth(options)

const session = `${baseURL}/api/auth/get-session`
serveFetch((request) => {
  // The load asks every variant for the same path.
  if (new URL(request.url).pathname !== '/me') return auth.handler(request)
  return auth.handler(new Request(session, { headers: request.headers }))
}, port)
