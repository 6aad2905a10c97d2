import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { checkEnvironment } from './check-environment.ts'

beforeEach(() => {
  vi.stubEnv('SVC_AUTH_SESSION_SECRET', 'Kf3vQm8ZpXw1Rt6Yb0Ls9Uj4Hd7Gc2Ne5Ai-oTq_')
  vi.stubEnv('SVC_AUTH_TOKEN_ENCRYPTION_KEYS', undefined)
})
afterEach(() => vi.unstubAllEnvs())

describe('the starter', () => {
  it.each([undefined, ''])('enforces CSRF where the variable says %o (A-342)', (given) => {
    vi.stubEnv('SVC_AUTH_CSRF', given)
    checkEnvironment()
    expect(process.env['SVC_AUTH_CSRF']).toBe('enforce')
  })

  it.each(['off', 'warn', 'enforce'])('leaves it where the variable says %s (A-342)', (given) => {
    vi.stubEnv('SVC_AUTH_CSRF', given)
    checkEnvironment()
    expect(process.env['SVC_AUTH_CSRF']).toBe(given)
  })
})
