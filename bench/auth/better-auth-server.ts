import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type BetterAuthOptions, betterAuth } from 'better-auth'
import { getMigrations } from 'better-auth/db/migration'
import { toNodeHandler } from 'better-auth/node'
import { Pool } from 'pg'
import { freePort } from '../harness/served.ts'
import { answer, listen } from './answer.ts'

type Caller = (request: IncomingMessage) => Promise<string | undefined>
type Auth = ReturnType<typeof betterAuth>

/**
 * better-auth on node:http as in its documentation, with its own pool. `GET /me` calls `callerOf`.
 */
export async function serveBetterAuth(
  options: Pick<BetterAuthOptions, 'session' | 'plugins'>,
  callerOf: (auth: Auth, baseURL: string) => Caller,
) {
  const port = await freePort()
  const baseURL = `http://127.0.0.1:${port}`
  const all: BetterAuthOptions = {
    ...options,
    baseURL,
    database: new Pool({ connectionString: process.env.DATABASE_URL }),
    secret: 'wJ4xq7Lr0vT2nB8yKc5dFz1mGh6sPaEu9RiWoQtXbN3',
    emailAndPassword: { enabled: true },
    telemetry: { enabled: false },
    logger: { level: 'error' },
  }
  const { runMigrations } = await getMigrations(all)
  await runMigrations()
  const auth = betterAuth(all)
  const handle = toNodeHandler(auth)
  const caller = callerOf(auth, baseURL)

  async function tellCaller(request: IncomingMessage, response: ServerResponse) {
    const userId = await caller(request).catch(() => undefined)
    if (userId === undefined) answer(response, 401, { error: 'nobody' })
    else answer(response, 200, { userId })
  }

  const server = createServer((request, response) => {
    void (request.url === '/me' ? tellCaller(request, response) : handle(request, response))
  })
  listen(server, port)
}
