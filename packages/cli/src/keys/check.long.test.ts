import { expect, it } from 'vitest'
import { address, made, server, useApplication } from './test-check.ts'

const test = useApplication()

it('says that there will be no superadmin, where the application has sign-in and no first account', async () => {
  await test.application.write('auth.ts', server.replace("name: 'sign-in'", "name: 'svc-auth'"))
  await test.application.write(
    '.env',
    `DATABASE_URL=postgres://app@db/orders\nSVC_MAIL_URL=none\n${address}`,
  )
  await test.application.svc(['keys', '--env'])
  const check = (env = {}) =>
    test.application.svc(['keys', 'check', '--server', 'auth.ts'], { env })
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
  await test.application.write('.env', besides)
  await test.application.svc(['keys', '--env'])
  const { code, stdout } = await test.application.svc(['keys', 'check'])
  expect({ code, stdout }).toEqual({
    code: 1,
    stdout: `${made}✗ SVC_PORT must be a whole number from 0 to 65535
✗ DATABASE_URL must start with postgres: or postgresql: or embedded:

Every secret is right. Set the other variables yourself.
`,
  })
})

it('keeps svc start from building for production what would fail at the first request', async () => {
  await test.application.write('main.ts', '')
  await test.application.write('.env', `DATABASE_URL=postgres://app@db/orders\nSVC_MAIL_URL=none\n`)
  await test.application.svc(['keys', '--env'])
  const { code, stdout, stderr } = await test.application.svc(['start'], {
    env: { NODE_ENV: 'production' },
  })
  expect(code).toBe(1)
  expect(stdout).toContain('✗ SVC_API_URL is required')
  expect(stderr).toContain('Nothing was built')
})
