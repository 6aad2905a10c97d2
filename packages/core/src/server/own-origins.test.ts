import { describe, expect, it } from 'vitest'
import { readServerEnv } from '../definition/env.ts'
import { addListeningOrigins, configuredOrigins } from './own-origins.ts'

function originsFor(variables: Record<string, string>) {
  const env = readServerEnv(variables)
  const origins = configuredOrigins(env)
  addListeningOrigins(origins, 'http://0.0.0.0:8790', env)
  return [...origins]
}

describe('ownOrigins', () => {
  it('are where the server listens, by every name that this machine has for itself', () => {
    expect(originsFor({})).toEqual([
      'http://0.0.0.0:8790',
      'http://localhost:8790',
      'http://127.0.0.1:8790',
      'http://[::1]:8790',
    ])
  })

  it('are in production what the variables say, and nothing beside it', () => {
    const env = {
      NODE_ENV: 'production',
      SVC_API_URL: 'http://api.internal:8790/path',
      NEXT_PUBLIC_SVC_API_URL: 'https://api.example.com',
    }
    expect(originsFor(env)).toEqual(['http://api.internal:8790', 'https://api.example.com'])
  })

  it('need addresses', () => {
    expect(() => readServerEnv({ SVC_API_URL: 'api.example.com' })).toThrow(
      'SVC_API_URL must be an address such as https://api.example.com',
    )
  })
})
