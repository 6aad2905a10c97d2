import { expect, it, onTestFinished } from 'vitest'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { partsEnvironment, webEnvironment } from './environment.ts'

it('keeps the secrets of the server from the web app', () => {
  const shared = { SVC_API_URL: 'http://localhost:8790', SVC_AUTH_SESSION_SECRET: 'the web app’s' }
  const secret = {
    SVC_AUTH_ADMIN_PASSWORD: 'a',
    SVC_AUTH_ADMIN_ACCOUNTS: '[]',
    SVC_AUTH_VERIFICATION_TOKEN_SECRET: 'b',
    SVC_AUTH_JWT_SECRET: 'c',
    SVC_AUTH_TOKEN_ENCRYPTION_KEYS: 'd',
    SVC_AUTH_GOOGLE_CLIENT_SECRET: 'e',
    SVC_AUTH_KAKAO_ADMIN_KEY: 'f',
    DATABASE_URL: 'postgres://app:g@db/app',
    DATABASE_URL_DIRECT: 'postgres://app:g@db/app',
    DATABASE_URL_REPLICA: 'postgres://app:g@replica/app',
    CACHE_URL: 'redis://:h@cache',
    SVC_MAIL_URL: 'smtps://app:i@mail',
    SVC_SMS_URL: 'https://j@sms.example',
    SVC_OPS_METRICS_TOKEN: 'k',
  }
  const given = { ...shared, SVC_SHUTDOWN_DELAY: '0s', NODE_ENV: 'production' }
  expect(webEnvironment({ ...shared, ...secret })).toEqual(given)
  const files = Object.fromEntries(
    Object.keys(secret).map((name) => [`${name}_FILE`, '/run/secrets/a']),
  )
  expect(webEnvironment({ ...shared, ...files })).toEqual(given)
})

it('lets the web app of a developer stop at once, and that of production as it is told', () => {
  const production = { NODE_ENV: 'production' }
  expect(webEnvironment({})).toHaveProperty('SVC_SHUTDOWN_DELAY', '0s')
  expect(webEnvironment({ SVC_SHUTDOWN_DELAY: '2s' })).toHaveProperty('SVC_SHUTDOWN_DELAY', '2s')
  expect(webEnvironment(production)).not.toHaveProperty('SVC_SHUTDOWN_DELAY')
})

it('makes no secret in development that a file has', () => {
  const folder = temporaryFolder({})
  const before = process.cwd()
  onTestFinished(() => process.chdir(before))
  process.chdir(folder)
  const { env, signIn } = partsEnvironment({
    SVC_AUTH_SESSION_SECRET_FILE: '/run/secrets/session',
    SVC_AUTH_ADMIN_PASSWORD_FILE: '/run/secrets/password',
  })
  expect(env).not.toHaveProperty('SVC_AUTH_SESSION_SECRET')
  expect(env).toHaveProperty('SVC_AUTH_VERIFICATION_TOKEN_SECRET')
  expect(signIn).toBeNull()
})

it('tells agents that the API is the authorization server where it runs alone', () => {
  const issuerOf = (given: NodeJS.ProcessEnv, isApiOnly = true) =>
    partsEnvironment(given, { isApiOnly }).env['SVC_AUTH_OAUTH2_ISSUER']
  expect(issuerOf({ SVC_PORT: '8791' })).toBe('http://localhost:8791')
  expect(issuerOf({}, false)).toBeUndefined()
  expect(issuerOf({ SVC_APP_URL: 'http://localhost:3791' })).toBeUndefined()
  expect(issuerOf({ NODE_ENV: 'production' })).toBeUndefined()
  const given = { SVC_AUTH_OAUTH2_ISSUER: 'https://app.example.com' }
  expect(issuerOf(given)).toBe('https://app.example.com')
})

it.each([
  [undefined, 'http://localhost:8790'],
  ['0.0.0.0', 'http://localhost:8790'],
  ['::', 'http://localhost:8790'],
  ['::1', 'http://[::1]:8790'],
  ['127.0.0.2', 'http://127.0.0.2:8790'],
])('finds the API that listens on SVC_HOST=%s', (SVC_HOST, url) => {
  const { env, urls } = partsEnvironment({ NODE_ENV: 'production', ...(SVC_HOST && { SVC_HOST }) })
  expect({ api: urls.api, variable: env['SVC_API_URL'] }).toEqual({ api: url, variable: url })
})
