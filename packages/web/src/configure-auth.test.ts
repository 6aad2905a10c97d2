import { configureAuth as configureApi } from '@svc/auth/server'
import { describe, expect, it } from 'vitest'
import { configureAuth } from './proxy.ts'

describe('configureAuth', () => {
  it('is one function for the API and the web app (A-344)', () => {
    expect(configureAuth).toBe(configureApi)
  })

  it('takes all of it where both run, and refuses an unknown name with a list of the known ones', () => {
    configureAuth({ sessionTtl: '7d', csrf: {}, enforcePasswordChange: false })
    expect(() => configureAuth({ sesionTtl: '7d' } as never)).toThrow(
      'configureAuth knows no sesionTtl: it takes beforeRegister, beforeSend,',
    )
    expect(() => configureAuth({ toString: 1 } as never)).toThrow('knows no toString')
  })
})
