import { describe, expect, it } from 'vitest'
import { readIssuer } from './mfa-totp.ts'

describe('the issuer of a second factor', () => {
  const app = { SVC_APP_URL: 'https://app.example.com' }
  const passkeys = { ...app, SVC_AUTH_PASSKEY_RP_NAME: 'Example' }

  it("is the relying party's name unless told otherwise, then the host of the app URL (A-103)", () => {
    expect(readIssuer(app)).toBe('app.example.com')
    expect(readIssuer(passkeys)).toBe('Example')
    expect(readIssuer({ ...passkeys, SVC_AUTH_MFA_ISSUER: 'Example Inc.' })).toBe('Example Inc.')
  })

  it('has no colon, at which authenticators split it from the account', () => {
    expect(() => readIssuer({ SVC_AUTH_MFA_ISSUER: 'Example: sign-in' })).toThrow(
      'SVC_AUTH_MFA_ISSUER must be up to 64 characters without a colon',
    )
  })
})
