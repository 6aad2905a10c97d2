import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createTestDatabase } from '@svc/core/testing'
import { createApplication } from './application.ts'
import { freePort } from './run-dev.ts'

export const password = 'correct horse battery staple'
const email = 'ada@example.com'

/** The owner of the account, who has signed in. */
const onAnotherDevice = `import { createAuthApi } from '@svc/auth'
import { createDeviceKey } from '@svc/auth/node'
import { requestSigner } from '@svc/core/client'
const [baseUrl] = process.argv.slice(2)
const key = await createDeviceKey({ file: 'owner-key.json' })
const body = { email: '${email}', password: '${password}', ...key.registration }
await createAuthApi({ baseUrl }).login.call({ body })
const api = createAuthApi({ baseUrl, sign: requestSigner(key) })`

const files = {
  'package.json': '{ "name": "board", "type": "module" }',
  'server.ts': `import { allow, createAuthLifecycle, createAuthRouter } from '@svc/auth/server'
import { defineServer, route, t } from '@svc/core'
import { organizations as contract } from '@svc/organizations/contract'
import { mcp } from '@svc/mcp'
import { organizations } from '@svc/organizations/server'

const greet = allow.public(
  route
    .get('/greetings/:name')
    .input({ params: t.Object({ name: t.String({ maxLength: 9 }) }) })
    .tool({ title: 'Greet', describe: 'Greets someone.', permission: 'greeting:read' })
    .handler(async (c) => ({ greeting: \`Hello \${(await c.data()).params.name}\` })),
)
const forget = allow.mayAny('greeting:forget', 'greeting:write')(
  route
    .delete('/greetings')
    .tool({ title: 'Forget', describe: 'Forgets all greetings.' })
    .handler((c) => c.noContent()),
)
const readLetter = allow.may('greeting:write')(
  route
    .get('/letters/:letterId')
    .input({ params: t.Object({ letterId: t.String() }) })
    .handler(() => ({ state: 'working' })),
)
const task = { read: 'readLetter', params: { letterId: 'id' }, state: ({ state }) => state }
const writeLetter = allow.may('greeting:write')(
  route
    .post('/letters')
    .tool({ title: 'Write a letter', describe: 'Writes a letter.', task })
    .handler((c) => c.accepted({ id: 'a letter' })),
)
const tools = ['greet', 'forget', 'writeLetter']
const greetings = allow.may('greeting:read')(route.get('/greetings').handler(() => []))
const words = { title: 'Greetings', describe: 'All greetings.' }
const resources = [{ name: 'greetings', uri: 'board://greetings', ...words }]
const endpoint = mcp({ path: '/mcp', name: 'board', version: '1', tools, resources })
const wipe = allow.approved(allow.bearer)(route.post('/wipe').handler(() => ({ wiped: true })))
const routes = { greet, forget, readLetter, writeLetter, greetings, wipe, mcp: endpoint }
const permission = (name) => ({ name, displayName: name, category: 'greeting' })

export default defineServer()
  .routes(createAuthRouter({ routes, contracts: [contract] }))
  .lifecycle(
    createAuthLifecycle({
      capabilities: [organizations()],
      permissions: ['read', 'write', 'forget'].map((act) => permission(\`greeting:\${act}\`)),
      rolePermissions: { user: ['greeting:read'] },
    }),
  )
`,
  'main.ts': `import { runServer } from '@svc/core'
import server from './server.ts'
await runServer(server)
`,
  'decide.ts': `${onAnotherDevice}
const [, userCode, decision] = process.argv.slice(2)
await api.getDeviceAuthInfo.call({ body: { userCode } })
if (decision === 'approve') await api.approveDeviceAuth.call({ body: { userCode } })
else await api.denyDeviceAuth.call({ body: { userCode } })
`,
  'approve.ts': `${onAnotherDevice}
const [, approvalId] = process.argv.slice(2)
await api.approveCall.call({ params: { approvalId }, body: {} })
`,
}

export type Board = Awaited<ReturnType<typeof startBoard>>

/** An application with accounts whose API runs, a superadmin, and a computer that the command is used on. */
export async function startBoard() {
  const application = await createApplication(files)
  const database = await createTestDatabase()
  const url = `http://localhost:${await freePort()}`
  const { FORCE_COLOR, ...inherited } = process.env
  const env = {
    ...inherited,
    NODE_ENV: 'test',
    NODE_OPTIONS: '--conditions=svc-source',
    DATABASE_URL: database.url,
    SVC_PORT: new URL(url).port,
    SVC_API_URL: url,
    SVC_AUTH_ADMIN_EMAIL: email,
    SVC_AUTH_ADMIN_PASSWORD: password,
    SVC_AUTH_VERIFICATION_TOKEN_SECRET: 'a secret of the tests, long enough for any check',
    XDG_CONFIG_HOME: join(application.root, 'config'),
  }

  function run(args: string[]) {
    const child = spawn(process.execPath, args, { cwd: application.root, env })
    let output = ''
    let waiting = () => {}
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        output += chunk.toString()
        waiting()
      })
    }
    const ended = new Promise<number | null>((done) => child.on('close', done))
    return {
      ended,
      output: () => output,
      stop: () => {
        child.kill()
        return ended
      },
      /** What it prints, once that is there. */
      async printed(pattern: RegExp): Promise<string> {
        for (;;) {
          const found = pattern.exec(output)
          if (found) return found[1] ?? found[0]
          const change = new Promise<'change'>((resolve) => {
            waiting = () => resolve('change')
          })
          if ((await Promise.race([change, ended])) !== 'change') {
            throw new Error(`It ended without ${pattern}:\n${output}`)
          }
        }
      },
    }
  }

  const api = run(['main.ts'])
  await api.printed(/listening|listens/i)
  const launcher = join(import.meta.dirname, '../../bin/svc.js')

  return {
    application,
    pool: database.pool,
    url,
    env,
    keyFile: join(env.XDG_CONFIG_HOME, 'svc', `localhost_${env.SVC_PORT}.json`),
    svc: (...args: string[]) => application.svc(args, { env }),
    /** Runs a command that goes on while other things happen. */
    begin: (...args: string[]) => run([launcher, ...args]),
    /** The owner of the account decides on another device. */
    async decide(userCode: string, decision: 'approve' | 'deny') {
      const deciding = run(['decide.ts', url, userCode, decision])
      if ((await deciding.ended) !== 0) throw new Error(deciding.output())
    },
    /** The owner approves a call on another device. */
    async approve(approvalId: string) {
      const approving = run(['approve.ts', url, approvalId])
      if ((await approving.ended) !== 0) throw new Error(approving.output())
    },
    async stop() {
      await api.stop()
      await application.remove()
      await database.drop()
    },
  }
}
