import { expect, it } from 'vitest'
import { webEnvironment } from './environment.ts'

it('keeps the secrets of the server from the web app', () => {
  const shared = { SVC_API_URL: 'http://localhost:8790', SVC_AUTH_SESSION_SECRET: 'the web app’s' }
  const secret = {
    SVC_AUTH_ADMIN_PASSWORD: 'a',
    SVC_AUTH_ADMIN_ACCOUNTS: '[]',
    SVC_AUTH_VERIFICATION_TOKEN_SECRET: 'b',
    SVC_AUTH_JWT_SECRET: 'c',
    SVC_AUTH_TOKEN_ENCRYPTION_KEYS: 'd',
  }
  expect(webEnvironment({ ...shared, ...secret })).toEqual({ ...shared, NODE_ENV: 'production' })
})
