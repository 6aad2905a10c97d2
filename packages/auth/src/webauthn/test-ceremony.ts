import { assertionOptions } from './assertion.ts'
import { checkRegistration, registrationOptions } from './registration.ts'
import type { RelyingParty } from './relying-party.ts'
import type { TestAuthenticator, TestLies } from './test-authenticator.ts'

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
