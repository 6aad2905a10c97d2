import type { RegistrationResponse } from '../fields.ts'
import type { RelyingParty } from '../relying-party.ts'
import { assertionOptions, checkRegistration, registrationOptions } from '../webauthn.ts'
import {
  createTestAuthenticator,
  type TestAuthenticator,
  type TestLies,
} from './test-authenticator.ts'
import { cbor } from './test-cbor.ts'

export const rp: RelyingParty = {
  id: 'example.com',
  name: 'Example',
  origins: ['https://example.com', 'https://login.example.com', 'https://example.de'],
  relatedOrigins: ['https://example.de'],
  userVerification: 'preferred',
}
export const strict: RelyingParty = { ...rp, userVerification: 'required' }

export const origin = 'https://example.com'
export const challenge = 'c'.repeat(43)
export const userId = '0192a6b0-3c4d-7e5f-8a9b-0c1d2e3f4a5b'

export const creation = registrationOptions(rp, {
  challenge,
  timeoutMillis: 300_000,
  userId,
  userName: 'ada@example.com',
  displayName: 'Ada',
  exclude: [],
})
export const request = assertionOptions(rp, { challenge, timeoutMillis: 300_000, allow: [] })

export function register(authenticator: TestAuthenticator, lies?: TestLies) {
  return checkRegistration(rp, { response: authenticator.register(creation, lies), challenge })
}

/** Another attestation in the place of an authenticator's. */
export function withAttestation(
  attestation: Buffer,
  made = createTestAuthenticator({ origin }).register(creation),
): RegistrationResponse {
  const attestationObject = attestation.toString('base64url')
  return { ...made, response: { ...made.response, attestationObject } }
}

export function attestationOf(authData: Buffer) {
  return cbor([
    ['fmt', 'none'],
    ['attStmt', []],
    ['authData', authData],
  ])
}

export function authenticatorDataOf({ response }: RegistrationResponse) {
  const bytes = Buffer.from(response.attestationObject, 'base64url')
  return bytes.subarray(bytes.indexOf('authData') + 10)
}

/** What an authenticator says, with the id that is in its authenticator data. */
export function withAuthenticatorData(
  authData: Buffer,
  made = createTestAuthenticator({ origin }).register(creation),
) {
  const id = authData.subarray(55, 55 + 32).toString('base64url')
  return withAttestation(attestationOf(authData), { ...made, id, rawId: id })
}

/** A response of an authenticator with this key. */
export function withKey(
  key: Buffer,
  made = createTestAuthenticator({ origin }).register(creation),
) {
  const head = authenticatorDataOf(made).subarray(0, 55 + 32)
  return withAuthenticatorData(Buffer.concat([head, key]), made)
}
