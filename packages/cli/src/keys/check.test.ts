import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { address, made, server, useApplication } from './test-check.ts'

const test = useApplication()

const right = randomBytes(32).toString('base64')

it('says what keeps the server and the web app from starting in production, and no secret', async () => {
  await test.application.write(
    '.env',
    `SVC_AUTH_SESSION_SECRET=short\nSVC_PROXY_SECRET=k1:${right}\n`,
  )
  const { code, stdout, stderr } = await test.application.svc(['keys', 'check'])
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

it('passes the secrets that "svc keys --env" has written, and asks for the rest', async () => {
  await test.application.write('.env', '')
  await test.application.svc(['keys', '--env'])
  const env = {
    DATABASE_URL: 'postgres://app:hunter2@db/orders',
    SVC_API_URL: 'https://api.example.com',
  }
  const { code, stdout } = await test.application.svc(['keys', 'check'], { env })
  expect({ code, stdout }).toEqual({
    code: 1,
    stdout: `${made}✗ SVC_MAIL_URL is required

Every secret is right. Set the other variables yourself.
`,
  })
})

it('passes what has all that production requires', async () => {
  await test.application.write(
    '.env',
    `DATABASE_URL=postgres://app@db/orders\nSVC_MAIL_URL=none\n${address}`,
  )
  await test.application.svc(['keys', '--env'])
  const { code, stdout } = await test.application.svc(['keys', 'check'])
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: `${made}
Every variable that production requires is set.
`,
  })
})

it('reads the files of secrets, and says which cannot be read, without what is in them', async () => {
  await test.application.write('.env', `SVC_MAIL_URL=none\n${address}`)
  await test.application.write('secrets/session', 'short\n')
  await test.application.write('secrets/proxy', `k1:${right}\n`)
  const pathOf = (name: string) => join(test.application.root, 'secrets', name)
  const { code, stdout } = await test.application.svc(['keys', 'check'], {
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

it('asks for the variables that the application itself requires', async () => {
  const own = server
    .replace("'@svc/core'", "'@svc/core'\nimport { defineEnv, required } from '@svc/core/env'")
    .replace('defineServer()', 'defineServer().env(defineEnv({ SHOP_API_KEY: required }))')
  await test.application.write('own.ts', own)
  await test.application.write(
    '.env',
    `DATABASE_URL=postgres://app@db/orders\nSVC_MAIL_URL=none\n${address}`,
  )
  await test.application.svc(['keys', '--env'])
  const { code, stdout } = await test.application.svc(['keys', 'check', '--server', 'own.ts'])
  expect({ code, stdout }).toEqual({
    code: 1,
    stdout: `${made}✗ SHOP_API_KEY is required

Every secret is right. Set the other variables yourself.
`,
  })
})
