import {
  InvalidKeyFingerprintError,
  KeyAlgorithmMismatchError,
  KeyIdAlreadyRegisteredError,
  RecentAuthenticationRequiredError,
  StepUpRequiredError,
} from '@svc/auth'
import { ValidationError } from '@svc/core/client'
import { expect, it } from 'vitest'
import { english as say } from '../words/say.ts'
import { machineFailure, readDays, readRegistration, registeredWords } from './machine-words.ts'

const registration = {
  publicKey: 'MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE',
  keyId: 'dk_3f9a1c07',
  fingerprint: '3f9a1c07'.repeat(8),
  algorithm: 'ES256',
}
const printed = JSON.stringify(registration)

it('reads what a program has printed, and nothing else of it', () => {
  expect(readRegistration(say, printed)).toEqual(registration)
  expect(readRegistration(say, `\n ${JSON.stringify(registration, null, 2)}\r\n`)).toEqual(
    registration,
  )
  const named = { ...registration, deviceName: 'CI' }
  const more = { ...named, permissions: ['user:read'], platform: 'web', secret: 's' }
  expect(readRegistration(say, JSON.stringify(more))).toEqual(named)
})

it('reads a line that a terminal has broken', () => {
  expect(readRegistration(say, printed.replace('MFkw', 'MF\nkw'))).toEqual(registration)
})

it('sends no private key', () => {
  const kept = { ...registration, privateKey: 'MIGHAgEAMBMG' }
  for (const text of [JSON.stringify(kept, null, 2), '-----BEGIN PRIVATE KEY-----\nMIGH']) {
    expect(readRegistration(say, text)).toContain('private half')
  }
})

it.each(['{', 'null', '"x"', '[]', '{}', printed.slice(0, -9), printed.replace('ES256', 'none')])(
  'says that something else is not the registration: %s',
  (text) => expect(readRegistration(say, text)).toContain('not the registration'),
)

it('says that nothing was pasted', () => expect(readRegistration(say, ' \n')).toContain('Paste'))

it('takes days as the API does', () => {
  expect(['1', '90', '365'].map(readDays)).toEqual([1, 90, 365])
  for (const entered of ['', '0', '366', '1.5', '-1', 'soon']) expect(readDays(entered)).toBe(null)
})

it('says why a key was not registered', () => {
  expect(machineFailure(say, new KeyIdAlreadyRegisteredError())).toContain('already registered')
  const mismatch = machineFailure(say, new InvalidKeyFingerprintError())
  expect(mismatch).toContain('don’t match')
  expect(machineFailure(say, new KeyAlgorithmMismatchError())).toBe(mismatch)
  expect(machineFailure(say, new RecentAuthenticationRequiredError())).toContain(
    'Confirm that it is you',
  )
  expect(machineFailure(say, new StepUpRequiredError())).toContain('second step')
  expect(machineFailure(say, new TypeError('no'))).toContain('does not answer')
})

it.each([
  ['permissions', 'no longer have'],
  ['expiresInDays', '1 to 365'],
  ['deviceName', '64 characters'],
  ['publicKey', 'don’t match'],
])('says what of it the API cannot take: %s', (name, words) => {
  const fields = [{ path: `body.${name}`, message: 'Wrong.' }]
  expect(machineFailure(say, new ValidationError({ fields }))).toContain(words)
})

it('says what was registered', () => {
  const machine = {
    keyId: 'dk_3f9a1c07',
    kind: 'machine',
    algorithm: 'ES256',
    fingerprintPrefix: '3f9a1c07',
    createdAtMillis: 0,
    isExpired: false,
    isActive: true,
  } as const
  expect(
    registeredWords(say, { ...machine, deviceName: 'CI', permissions: ['a:b', 'c:d'] }, 90),
  ).toBe('CI (key 3f9a1c07) is registered for 90 days and has the permissions a:b, c:d.')
  expect(registeredWords(say, { ...machine, permissions: [] }, 1)).toBe(
    'Program without a name (key 3f9a1c07) is registered for a day and has no permissions.',
  )
})
