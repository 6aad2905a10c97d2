import {
  type AuthorizationServerOptions,
  allow,
  createAuthLifecycle,
  createAuthRouter,
  getUserId,
} from '@svc/auth/server'
import { defineServer, startServer, t } from '@svc/core'
import { route } from '@svc/core/contract'
import { mcp } from '@svc/mcp'
import { served } from '../harness/served.ts'

const writeNote = allow.may('note:write')(
  route
    .post('/notes')
    .input({ body: t.Object({ text: t.String({ maxLength: 500 }) }) })
    .answer(t.Object({ by: t.String(), text: t.String() }))
    .tool({ title: 'Write a note', describe: 'Writes a note in the name of the user.' })
    .handler(async (c) => ({ by: getUserId(c), ...(await c.data()).body })),
)
const tools = ['writeNote']
const routes = {
  writeNote,
  mcp: mcp({ path: '/mcp', name: 'notes', version: '1.0.0', tools }),
}

/** An application with one tool. `budget` is that of each agent. */
export async function serveNotes(budget?: AuthorizationServerOptions['budget']) {
  const definition = defineServer()
    .routes(createAuthRouter({ routes }))
    .lifecycle(
      createAuthLifecycle({
        permissions: [{ name: 'note:write', displayName: 'Write notes', category: 'note' }],
        rolePermissions: { user: ['note:write'] },
        authorizationServer: {
          scopes: { 'note:write': 'Write notes' },
          resources: ['/mcp'],
          registration: 'open',
          ...(budget && { budget }),
        },
      }),
    )
  const server = await startServer(definition, {
    port: 0,
    env: {
      NODE_ENV: 'production',
      SVC_LOG_LEVEL: 'warn',
      SVC_MIGRATE: 'apply',
      SVC_TRUSTED_PROXY_HOPS: '1',
      DATABASE_URL: process.env.DATABASE_URL,
      DATABASE_URL_DIRECT: process.env.DATABASE_URL_DIRECT,
      SVC_AUTH_VERIFICATION_TOKEN_SECRET: 'wJ4xq7Lr0vT2nB8yKc5dFz1mGh6sPaEu9RiWoQtXbN3',
      SVC_APP_URL: 'https://app.example.com',
      SVC_MAIL_URL: 'none',
    },
  })
  served(server.url)
}
