import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createApplication, type TestApplication } from '../testing/application.ts'

const right = randomBytes(32).toString('base64')

const server = `import { defineServer, EnvironmentError } from '@svc/core'

const lifecycle = {
  name: 'sign-in',
  validateEnvironment({ NODE_ENV, SVC_AUTH_VERIFICATION_TOKEN_SECRET: secret = '' }) {
    if (NODE_ENV !== 'production' || secret.length >= 32) return
    throw new EnvironmentError(['SVC_AUTH_VERIFICATION_TOKEN_SECRET is required', 'SVC_MAIL_URL is required'])
  },
}
export default defineServer().lifecycle(lifecycle)
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
    ✗ SVC_AUTH_SESSION_SECRET must have at least 32 characters; openssl rand -base64 32 makes one
    - SVC_AUTH_TOKEN_ENCRYPTION_KEYS is not set: no second factor, and no social sign-in on the web
    ✓ SVC_PROXY_SECRET

    "svc keys" makes secrets that are right.
    "
  `)
})

it('passes what "svc keys --env" has written', async () => {
  await application.write('.env', '')
  await application.svc(['keys', '--env'])
  const { code, stdout } = await application.svc(['keys', 'check'])
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: `✓ SVC_AUTH_VERIFICATION_TOKEN_SECRET
✓ SVC_AUTH_SESSION_SECRET
✓ SVC_AUTH_TOKEN_ENCRYPTION_KEYS
✓ SVC_PROXY_SECRET

Every secret is right.
`,
  })
})
