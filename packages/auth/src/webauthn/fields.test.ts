import { Check } from 'typebox/value'
import { describe, expect, it } from 'vitest'
import {
  AuthenticationResponse,
  CreationOptions,
  RegistrationResponse,
  RequestOptions,
} from './fields.ts'
import type { RelyingParty } from './relying-party.ts'
import { createTestAuthenticator } from './testing/test-authenticator.ts'
import { assertionOptions, registrationOptions } from './webauthn.ts'

const rp: RelyingParty = {
  id: 'localhost',
  name: 'Example',
  origins: ['http://localhost:3790'],
  relatedOrigins: [],
  userVerification: 'required',
}
const asked = {
  challenge: 'c'.repeat(43),
  timeoutMillis: 1000,
  userId: '0192a6b0-3c4d-7e5f-8a9b-0c1d2e3f4a5b',
  userName: 'ada',
  displayName: 'Ada',
}
const known = { credentialId: 'aGVsZA', transports: ['usb'] }
const authenticator = createTestAuthenticator()
const created = authenticator.register(registrationOptions(rp, { ...asked, exclude: [] }))
const signed = authenticator.sign(assertionOptions(rp, { ...asked, allow: [] }))

function creates(changes: object) {
  const response = { ...created.response, ...changes }
  return Check(RegistrationResponse, { ...created, response })
}

function signs(changes: object) {
  const response = { ...signed.response, ...changes }
  return Check(AuthenticationResponse, { ...signed, response })
}

describe('the JSON of a credential', () => {
  it('is taken as a browser makes it', () => {
    expect(creates({})).toBe(true)
    expect(creates({ transports: ['smart-card', 'hybrid'] })).toBe(true)
    expect(Check(RegistrationResponse, { ...created, authenticatorAttachment: null })).toBe(true)
    expect(signs({})).toBe(true)
    expect(signs({ userHandle: null })).toBe(true)
  })

  it('is refused where it is longer than any, or is no base64url', () => {
    const long = (length: number) => 'A'.repeat(length + 1)
    expect(Check(RegistrationResponse, { ...created, id: long(1364) })).toBe(false)
    expect(creates({ attestationObject: long(32_768) })).toBe(false)
    expect(creates({ clientDataJSON: long(4096) })).toBe(false)
    expect(creates({ transports: Array.from({ length: 9 }, () => 'usb') })).toBe(false)
    expect(creates({ transports: ['<b>'] })).toBe(false)
    expect(signs({ authenticatorData: long(2048) })).toBe(false)
    expect(signs({ signature: long(1024) })).toBe(false)
    expect(signs({ userHandle: long(86) })).toBe(false)
    for (const text of ['', 'AAA=', 'AA+A', 'AA/A', 'A A', 'é', 'AAAA\n']) {
      expect(signs({ signature: text }), text).toBe(false)
      expect(Check(AuthenticationResponse, { ...signed, rawId: text }), text).toBe(false)
    }
    expect(Check(AuthenticationResponse, { ...signed, type: 'password' })).toBe(false)
  })

  it('has options that are whole', () => {
    const creation = registrationOptions(rp, { ...asked, exclude: [known] })
    expect(Check(CreationOptions, creation)).toBe(true)
    const request = assertionOptions(rp, { ...asked, allow: [known] })
    expect(Check(RequestOptions, request)).toBe(true)
  })
})
