import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createApplication, type TestApplication } from '../testing/application.ts'

const right = randomBytes(32).toString('base64')

const server = `import { defineServer, EnvironmentError } from '@svc/core'

const lifecycle = {
  name: 'sign-in',
  validateEnvironment({ NODE_ENV, SVC_AUTH_VERIFICATION_TOKEN_SECRET: secret = '', SVC_MAIL_URL }) {
    if (NODE_ENV !== 'production') return
    const problems = [
      secret.length < 32 && 'SVC_AUTH_VERIFICATION_TOKEN_SECRET is required',
      !SVC_MAIL_URL && 'SVC_MAIL_URL is required',
    ].filter((problem) => problem !== false)
    if (problems.length > 0) throw new EnvironmentError(problems)
  },
}
export default defineServer().lifecycle(lifecycle).database({ schema: {} })
`

let application: TestApplication
beforeAll(async () => {
  application = await createApplication({
    'package.json': '{ "type": "module" }',
    'server.ts': server,
    'web/package.json': '{}',
    'web/next.config.ts': '',
  })
})
afterAll(() => application.remove())

it('says what keeps the server and the web app from starting in production, and no secret', async () => {
  await application.write('.env', `SVC_AUTH_SESSION_SECRET=short\nSVC_PROXY_SECRET=k1:${right}\n`)
  const { code, stdout, stderr } = await application.svc(['keys', 'check'])
  expect({ code, stderr }).toEqual({ code: 1, stderr: '' })
  expect(stdout).toMatchInlineSnapshot(`
    "✗ SVC_AUTH_VERIFICATION_TOKEN_SECRET is required
    ✗ SVC_AUTH_SESSION_SECRET must have at least 32 characters; create one with openssl rand -base64 32
    - SVC_AUTH_TOKEN_ENCRYPTION_KEYS is not set: no second factor, and no social sign-in on the web
    ✓ SVC_PROXY_SECRET
    ✗ DATABASE_URL is required: this application has tables or jobs
    ✗ SVC_MAIL_URL is required
    ✗ SVC_API_URL is required: set it to the address where the web app reaches the API. Browsers use it too unless NEXT_PUBLIC_SVC_API_URL is set

    Remove wrong secrets from .env, then run "npx @svc/cli keys --env" to add the missing ones.
    "
  `)
})

const address = 'NEXT_PUBLIC_SVC_API_URL=https://api.example.com\n'

const made = `✓ SVC_AUTH_VERIFICATION_TOKEN_SECRET
✓ SVC_AUTH_SESSION_SECRET
✓ SVC_AUTH_TOKEN_ENCRYPTION_KEYS
✓ SVC_PROXY_SECRET
`

it('passes the secrets that "svc keys --env" has written, and asks for the rest', async () => {
  await application.write('.env', '')
  await application.svc(['keys', '--env'])
  const env = {
    DATABASE_URL: 'postgres://app:hunter2@db/orders',
    SVC_API_URL: 'https://api.example.com',
  }
  const { code, stdout } = await application.svc(['keys', 'check'], { env })
  expect({ code, stdout }).toEqual({
    code: 1,
    stdout: `${made}✗ SVC_MAIL_URL is required

Every secret is right. Set the other variables yourself.
`,
  })
})

it('passes what has all that production requires', async () => {
  await application.write(
    '.env',
    `DATABASE_URL=postgres://app@db/orders\nSVC_MAIL_URL=none\n${address}`,
  )
  await application.svc(['keys', '--env'])
  const { code, stdout } = await application.svc(['keys', 'check'])
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: `${made}
Every variable that production requires is set.
`,
  })
})

it('reads the files of secrets, and says which cannot be read, without what is in them', async () => {
  await application.write('.env', `SVC_MAIL_URL=none\n${address}`)
  await application.write('secrets/session', 'short\n')
  await application.write('secrets/proxy', `k1:${right}\n`)
  const pathOf = (name: string) => join(application.root, 'secrets', name)
  const { code, stdout } = await application.svc(['keys', 'check'], {
    env: {
      SVC_AUTH_SESSION_SECRET_FILE: pathOf('session'),
      SVC_PROXY_SECRET_FILE: pathOf('proxy'),
      DATABASE_URL_FILE: pathOf('hunter2'),
    },
  })
  expect({ code, stdout }).toEqual({
    code: 1,
    stdout: `✗ SVC_AUTH_VERIFICATION_TOKEN_SECRET is required
✗ SVC_AUTH_SESSION_SECRET must have at least 32 characters; create one with openssl rand -base64 32
- SVC_AUTH_TOKEN_ENCRYPTION_KEYS is not set: no second factor, and no social sign-in on the web
✓ SVC_PROXY_SECRET
✗ DATABASE_URL cannot be read: DATABASE_URL_FILE names a file that does not exist

Remove wrong secrets from .env, then run "npx @svc/cli keys --env" to add the missing ones.
`,
  })
})

it('says that there will be no superadmin, where the application has sign-in and no first account', async () => {
  await application.write('auth.ts', server.replace("name: 'sign-in'", "name: 'svc-auth'"))
  await application.write(
    '.env',
    `DATABASE_URL=postgres://app@db/orders\nSVC_MAIL_URL=none\n${address}`,
  )
  await application.svc(['keys', '--env'])
  const check = (env = {}) => application.svc(['keys', 'check', '--server', 'auth.ts'], { env })
  const { code, stdout } = await check()
  expect(code).toBe(0)
  expect(stdout).toContain(
    '\n- SVC_AUTH_ADMIN_EMAIL is not set: no superadmin, unless the database has one\n',
  )
  const given = await check({ SVC_AUTH_ADMIN_ACCOUNTS: '[]' })
  expect(given.stdout).not.toContain('SVC_AUTH_ADMIN_EMAIL')
})

it('says what is wrong with variables that are no secrets, too', async () => {
  const besides = `SVC_PORT=many\nDATABASE_URL=mysql://db/orders\nSVC_MAIL_URL=none\n${address}`
  await application.write('.env', besides)
  await application.svc(['keys', '--env'])
  const { code, stdout } = await application.svc(['keys', 'check'])
  expect({ code, stdout }).toEqual({
    code: 1,
    stdout: `${made}✗ SVC_PORT must be a whole number from 0 to 65535
✗ DATABASE_URL must start with postgres: or postgresql: or embedded:

Every secret is right. Set the other variables yourself.
`,
  })
})

it('asks for the variables that the application itself requires', async () => {
  const own = server
    .replace("'@svc/core'", "'@svc/core'\nimport { defineEnv, required } from '@svc/core/env'")
    .replace('defineServer()', 'defineServer().env(defineEnv({ SHOP_API_KEY: required }))')
  await application.write('own.ts', own)
  await application.write(
    '.env',
    `DATABASE_URL=postgres://app@db/orders\nSVC_MAIL_URL=none\n${address}`,
  )
  await application.svc(['keys', '--env'])
  const { code, stdout } = await application.svc(['keys', 'check', '--server', 'own.ts'])
  expect({ code, stdout }).toEqual({
    code: 1,
    stdout: `${made}✗ SHOP_API_KEY is required

Every secret is right. Set the other variables yourself.
`,
  })
})

it('keeps svc start from building for production what would fail at the first request', async () => {
  await application.write('main.ts', '')
  await application.write('.env', `DATABASE_URL=postgres://app@db/orders\nSVC_MAIL_URL=none\n`)
  await application.svc(['keys', '--env'])
  const { code, stdout, stderr } = await application.svc(['start'], {
    env: { NODE_ENV: 'production' },
  })
  expect(code).toBe(1)
  expect(stdout).toContain('✗ SVC_API_URL is required')
  expect(stderr).toContain('Nothing was built')
})
