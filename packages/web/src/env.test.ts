import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { EnvironmentSource } from '@svc/core/env'
import { afterAll, describe, expect, it } from 'vitest'
import { publicVariables } from './env.ts'
import { readWebEnv } from './proxy.ts'

const secret = 'q7Zt-1mKx_9PfVw3RbYc5LsDh8GjNaEu'
const read = (source: EnvironmentSource = {}) =>
  readWebEnv({ SVC_AUTH_SESSION_SECRET: secret, ...source })

const folder = mkdtempSync(join(tmpdir(), 'svc-web-env-'))
afterAll(() => rmSync(folder, { recursive: true }))

function file(text: string) {
  const path = join(folder, randomUUID())
  writeFileSync(path, text)
  return path
}

function problemsOf(source: EnvironmentSource): readonly string[] {
  try {
    read(source)
    return []
  } catch (error) {
    return (error as { problems: readonly string[] }).problems
  }
}

const remedy = 'create one with openssl rand -base64 32'
const tooFew = `SVC_AUTH_SESSION_SECRET must have at least 16 different characters; ${remedy}`
const tooUneven = `SVC_AUTH_SESSION_SECRET must have its characters spread more evenly; ${remedy}`

describe('SVC_AUTH_SESSION_SECRET', () => {
  it('is required, long, of many characters and evenly spread (A-077)', () => {
    expect(problemsOf({ SVC_AUTH_SESSION_SECRET: undefined })).toEqual([
      `SVC_AUTH_SESSION_SECRET is required; ${remedy}`,
    ])
    expect(problemsOf({ SVC_AUTH_SESSION_SECRET: secret.slice(1) })).toEqual([
      `SVC_AUTH_SESSION_SECRET must have at least 32 characters; ${remedy}`,
    ])
    expect(problemsOf({ SVC_AUTH_SESSION_SECRET: 'a'.repeat(64) })).toEqual([tooFew])
    expect(problemsOf({ SVC_AUTH_SESSION_SECRET: `${'a'.repeat(60)}bcdefghijklmnop` })).toEqual([
      tooUneven,
    ])
    expect(problemsOf({ SVC_AUTH_SESSION_SECRET: secret })).toEqual([])
  })

  it('has 16 different characters and 3.5 bits of entropy in each (A-078)', () => {
    const fifteen = 'abcdefghijklmno'.repeat(4)
    expect(problemsOf({ SVC_AUTH_SESSION_SECRET: fifteen })).toEqual([tooFew])
    expect(problemsOf({ SVC_AUTH_SESSION_SECRET: `${fifteen}p` })).toEqual([])
    // 3.48 and 3.51 bits.
    const often = (a: number) => `${'a'.repeat(a)}${'abcdefghij'.repeat(4)}klmnop`
    expect(problemsOf({ SVC_AUTH_SESSION_SECRET: often(13) })).toEqual([tooUneven])
    expect(problemsOf({ SVC_AUTH_SESSION_SECRET: often(12) })).toEqual([])
  })

  it('is every secret that the advice makes', () => {
    for (let tries = 0; tries < 500; tries++) {
      const made = randomBytes(32).toString('base64')
      expect(problemsOf({ SVC_AUTH_SESSION_SECRET: made })).toEqual([])
    }
  })

  it.each([
    'change-me-0123456789abcdefghijklmnopqrstuvwxyz',
    'replace-with-openssl-rand-base64-32-output',
    'example-secret-0123456789abcdefghijklmnop',
    'your-secret-key-0123456789abcdefghijklmnop',
  ])('is not an example: %s', (example) => {
    expect(problemsOf({ SVC_AUTH_SESSION_SECRET: example })).toEqual([
      `SVC_AUTH_SESSION_SECRET must not be an example; ${remedy}`,
    ])
  })

  it('may have ones before it, which are no weaker', () => {
    const older = secret.toLowerCase()
    expect(read().SVC_AUTH_SESSION_SECRET_PREVIOUS).toEqual([])
    const previous = read({ SVC_AUTH_SESSION_SECRET_PREVIOUS: `${older}, ${secret}` })
    expect(previous.SVC_AUTH_SESSION_SECRET_PREVIOUS).toEqual([older, secret])
    expect(problemsOf({ SVC_AUTH_SESSION_SECRET_PREVIOUS: `${older},short` })).toEqual([
      'SVC_AUTH_SESSION_SECRET_PREVIOUS must have at least 32 characters, each of them',
    ])
  })
})

describe('variables of the web process', () => {
  it('find the API on this machine unless told otherwise (A-081)', () => {
    expect(read().SVC_API_URL).toBe('http://localhost:8790')
    expect(read({ SVC_API_URL: 'https://api.example.com' }).SVC_API_URL).toBe(
      'https://api.example.com',
    )
    expect(problemsOf({ SVC_API_URL: 'api.example.com' })).toHaveLength(1)
  })

  it('warn of forged calls, and of nothing else than they are told', () => {
    expect(read().SVC_AUTH_CSRF).toBe('warn')
    expect(read({ SVC_AUTH_CSRF: 'enforce' }).SVC_AUTH_CSRF).toBe('enforce')
    expect(read({ SVC_AUTH_CSRF: 'off' }).SVC_AUTH_CSRF).toBe('off')
    expect(problemsOf({ SVC_AUTH_CSRF: 'Enforce' })).toEqual([
      'SVC_AUTH_CSRF must be one of: warn, off, enforce',
    ])
  })

  it('bind no session to its browser unless they are told to', () => {
    expect(read().SVC_AUTH_DBSC).toBe(false)
    expect(read({ SVC_AUTH_DBSC: 'on' }).SVC_AUTH_DBSC).toBe(true)
    expect(problemsOf({ SVC_AUTH_DBSC: 'enforce' })).toEqual(['SVC_AUTH_DBSC must be on or off'])
  })

  it('send a bound session to a page of the app', () => {
    expect(read().SVC_AUTH_SESSION_RENEW_PATH).toBe('/auth/renew')
    expect(problemsOf({ SVC_AUTH_SESSION_RENEW_PATH: '//evil.example' })).toHaveLength(1)
  })

  it('are without the keys that the server encrypts with (A-079)', () => {
    const keys = `a:${randomBytes(32).toString('base64')}`
    expect(problemsOf({ SVC_AUTH_TOKEN_ENCRYPTION_KEYS: keys })).toEqual([
      'SVC_AUTH_TOKEN_ENCRYPTION_KEYS is for the API only: remove it from the web process',
    ])
    const path = file(keys)
    expect(problemsOf({ SVC_AUTH_TOKEN_ENCRYPTION_KEYS_FILE: path })).toHaveLength(1)
  })

  it('may be in files, where they are secrets', () => {
    const env = readWebEnv({
      SVC_AUTH_SESSION_SECRET_FILE: file(`${secret}\n`),
      SVC_AUTH_SESSION_SECRET_PREVIOUS_FILE: file(`${secret}A,${secret}B\n`),
      SVC_PROXY_SECRET_FILE: file(`a:${secret}\n`),
    })
    expect(env).toMatchObject({
      SVC_AUTH_SESSION_SECRET: secret,
      SVC_AUTH_SESSION_SECRET_PREVIOUS: [`${secret}A`, `${secret}B`],
      SVC_PROXY_SECRET: [{ keyId: 'a', secret }],
    })
  })

  it('have every problem told at once', () => {
    expect(() => readWebEnv({ SVC_AUTH_CSRF: 'on', SVC_API_URL: 'x' })).toThrow(
      /SVC_API_URL.*SVC_AUTH_SESSION_SECRET.*SVC_AUTH_CSRF/s,
    )
  })
})

describe('the address of the API that a build has in it', () => {
  const build = 'phase-production-build'
  const browsers = 'https://api.example.com'
  const inside = 'http://api:8790'

  it('is NEXT_PUBLIC_SVC_API_URL, else SVC_API_URL', () => {
    const both = { NEXT_PUBLIC_SVC_API_URL: browsers, SVC_API_URL: inside }
    expect(publicVariables(build, both)).toEqual({ NEXT_PUBLIC_SVC_API_URL: browsers })
    expect(publicVariables(build, { SVC_API_URL: inside })).toEqual({
      NEXT_PUBLIC_SVC_API_URL: inside,
    })
  })

  it('is never the visitor’s own machine: a build without either is refused', () => {
    expect(() => publicVariables(build, { SVC_API_URL: '' })).toThrow(
      'NEXT_PUBLIC_SVC_API_URL or SVC_API_URL is required',
    )
    expect(publicVariables('phase-development-server', {})).toEqual({})
    // The build that it serves has one.
    expect(publicVariables('phase-production-server', {})).toEqual({})
  })
})
