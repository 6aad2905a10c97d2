import { expect, it } from 'vitest'
import { authenticatorName } from './authenticators.ts'

it('names an authenticator by its AAGUID, and none that is unknown or says nothing', () => {
  expect(authenticatorName('fbfc3007-154e-4ecc-8c0b-6e020557d7bd')).toBe('iCloud Keychain')
  expect(authenticatorName('2fc0579f-8113-47ea-b116-bb5a8db9202a')).toBe('YubiKey 5 NFC')
  expect(authenticatorName('00000000-0000-0000-0000-000000000000')).toBeUndefined()
  expect(authenticatorName('constructor')).toBeUndefined()
})
