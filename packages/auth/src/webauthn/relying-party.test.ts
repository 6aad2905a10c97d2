import type { EnvironmentSource } from '@svc/core'
import { describe, expect, it } from 'vitest'
import { createAuthLifecycle } from '../lifecycle.ts'
import { readRelyingParty } from './relying-party.ts'

const app = { NEXT_PUBLIC_SVC_APP_URL: 'https://app.example.com:8443' }

/** What the server says of these variables as it starts, before anything connects. */
function problemsOf(source: EnvironmentSource): readonly string[] {
  const secret = { SVC_AUTH_VERIFICATION_TOKEN_SECRET: 'a secret of the tests, long enough' }
  try {
    createAuthLifecycle().validateEnvironment?.({ ...secret, ...app, ...source })
    return []
  } catch (error) {
    return (error as { problems: readonly string[] }).problems
  }
}

describe('the relying party of passkeys', () => {
  it('comes from the app URL, and what does not fit together keeps the server from starting (A-101)', () => {
    expect(readRelyingParty(app)).toEqual({
      id: 'app.example.com',
      name: 'app.example.com',
      origins: ['https://app.example.com:8443'],
      relatedOrigins: [],
      userVerification: 'preferred',
    })
    expect(readRelyingParty({})).toMatchObject({
      id: 'localhost',
      name: 'localhost',
      origins: ['http://localhost:3790'],
    })
    const given = {
      SVC_AUTH_PASSKEY_RP_ID: 'example.com',
      SVC_AUTH_PASSKEY_RP_NAME: 'Example',
      SVC_AUTH_PASSKEY_ORIGINS: 'https://example.com/, https://login.example.com',
    }
    expect(readRelyingParty({ ...app, ...given })).toEqual({
      id: 'example.com',
      name: 'Example',
      origins: ['https://example.com', 'https://login.example.com'],
      relatedOrigins: [],
      userVerification: 'preferred',
    })
    expect(problemsOf(given)).toEqual([])

    expect(problemsOf({ SVC_AUTH_PASSKEY_RP_ID: 'other.example' })).toEqual([
      'the app URL must be on SVC_AUTH_PASSKEY_RP_ID or below it, for passkeys',
    ])
    expect(problemsOf({ SVC_AUTH_PASSKEY_ORIGINS: 'https://example.com' })).toEqual([
      'one of SVC_AUTH_PASSKEY_ORIGINS must be on the domain of the app URL or below it, for passkeys',
    ])
    // It ends in the same letters, but belongs to another owner.
    const neighbour = { ...given, SVC_AUTH_PASSKEY_ORIGINS: 'https://evilexample.com' }
    expect(problemsOf(neighbour)).toEqual([
      'one of SVC_AUTH_PASSKEY_ORIGINS must be on SVC_AUTH_PASSKEY_RP_ID or below it, for passkeys',
    ])
  })

  it('has origins on other domains where they are listed, up to five and with https (A-101)', () => {
    const related = ['de', 'fr', 'it', 'nl', 'pl'].map((country) => `https://example.${country}`)
    const listed = (...origins: string[]) => ({
      SVC_AUTH_PASSKEY_RP_ID: 'example.com',
      SVC_AUTH_PASSKEY_ORIGINS: ['https://login.example.com', ...origins].join(),
    })
    expect(problemsOf(listed(...related))).toEqual([])
    expect(readRelyingParty({ ...app, ...listed(...related) })).toMatchObject({
      origins: ['https://login.example.com', ...related],
      relatedOrigins: related,
    })
    // It ends in the same letters, and is another domain.
    const neighbour = 'https://evilexample.com'
    expect(readRelyingParty({ ...app, ...listed(neighbour) }).relatedOrigins).toEqual([neighbour])

    expect(problemsOf(listed(...related, 'https://example.es'))).toEqual([
      'SVC_AUTH_PASSKEY_ORIGINS that are not on SVC_AUTH_PASSKEY_RP_ID or below it must be 5 at most',
    ])
    expect(problemsOf(listed('http://localhost:3790'))).toEqual([
      'SVC_AUTH_PASSKEY_ORIGINS that are not on SVC_AUTH_PASSKEY_RP_ID or below it must have https',
    ])
    expect(problemsOf({ SVC_AUTH_PASSKEY_ORIGINS: related.join() })).toEqual([
      'one of SVC_AUTH_PASSKEY_ORIGINS must be on the domain of the app URL or below it, for passkeys',
    ])
    const android = `android:apk-key-hash:${'a'.repeat(43)}`
    expect(problemsOf({ SVC_AUTH_PASSKEY_ORIGINS: android })).toHaveLength(1)
  })

  it.each([
    'com',
    'Example.com',
    'https://example.com',
    'example.com:443',
    'example.com/',
    'example.com.',
    'user@example.com',
    '127.0.0.1',
    '[::1]',
    'exämple.com',
  ])('refuses %s as a domain', (id) => {
    expect(problemsOf({ SVC_AUTH_PASSKEY_RP_ID: id })).toContain(
      'SVC_AUTH_PASSKEY_RP_ID must be a domain such as example.com, in lower case and without a port',
    )
  })

  it.each([
    'app.example.com',
    'http://app.example.com',
    'https://app.example.com/path',
    'https://user@app.example.com',
    'https://app.example.com,',
    'android:apk-key-hash:short',
    'null',
  ])('refuses %s as its origins', (origins) => {
    expect(problemsOf({ SVC_AUTH_PASSKEY_ORIGINS: origins })).toEqual([
      'SVC_AUTH_PASSKEY_ORIGINS must be a list of origins such as https://app.example.com',
    ])
  })

  it('has apps for Android among its origins, and localhost without TLS', () => {
    const android = `android:apk-key-hash:${'a'.repeat(43)}`
    const origins = `https://app.example.com,${android}`
    expect(problemsOf({ SVC_AUTH_PASSKEY_ORIGINS: origins })).toEqual([])
    expect(readRelyingParty({ SVC_AUTH_PASSKEY_ORIGINS: 'http://localhost:3791' }).origins).toEqual(
      ['http://localhost:3791'],
    )
  })

  it('prefers that a user is verified, may require it, and is not to discourage it (A-102)', () => {
    const read = (mode?: string) =>
      readRelyingParty({ SVC_AUTH_PASSKEY_USER_VERIFICATION: mode }).userVerification
    expect(read()).toBe('preferred')
    expect(read('preferred')).toBe('preferred')
    expect(read('required')).toBe('required')
    expect(problemsOf({ SVC_AUTH_PASSKEY_USER_VERIFICATION: 'discouraged' })).toEqual([
      'SVC_AUTH_PASSKEY_USER_VERIFICATION must be one of: preferred, required',
    ])
  })
})
