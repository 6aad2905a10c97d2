import {
  InvalidCredentialsError,
  LastRecoveryCredentialError,
  MfaUnavailableError,
  PasskeyAlreadyRegisteredError,
  PasskeyChallengeError,
  type PasskeyItem,
  PasskeyVerificationError,
  RecentAuthenticationRequiredError,
} from '@svc/auth'
import { describe, expect, it } from 'vitest'
import { passkeyFailure } from '../failures/passkey-failure.ts'
import { passkeySignInFailure } from '../failures/passkey-sign-in-failure.ts'
import { english as say } from '../words/say.ts'
import { countOfPasskeys, keptWhere, lostWith, markedWords, passkeyName } from './passkey-words.ts'

describe('a passkey', () => {
  it('is called as its owner says, or after where it is kept', () => {
    const nameOf = (deviceType: 'singleDevice' | 'multiDevice', transports: string[], label = '') =>
      passkeyName(say, { deviceType, transports, label })
    expect(nameOf('multiDevice', [], 'Ada’s phone')).toBe('Ada’s phone')
    expect(nameOf('multiDevice', ['internal', 'hybrid'])).toBe('Synced passkey')
    expect(nameOf('singleDevice', ['usb', 'nfc'])).toBe('Security key')
    expect(nameOf('singleDevice', ['internal'])).toBe('Passkey on one device')
    expect(['1 passkey', '2 passkeys']).toEqual([1, 2].map((count) => countOfPasskeys(say, count)))
  })

  it('is kept where its authenticator says', () => {
    const device = { deviceType: 'singleDevice', backedUp: false } as const
    const synced = { deviceType: 'multiDevice' as const, transports: ['hybrid', 'internal'] }
    const transports = (...given: string[]) => keptWhere(say, { ...device, transports: given })
    expect(keptWhere(say, { ...synced, backedUp: true })).toContain('Synced')
    expect(keptWhere(say, { ...synced, backedUp: false })).toContain('can be synced')
    expect(transports('internal')).toBe('On one device only.')
    expect(transports('usb', 'nfc')).toBe('On a security key.')
    expect(transports()).toBe('On one device or security key only.')
  })
})

describe('a passkey that becomes a second step', () => {
  const passkey = { label: 'Key', secondFactor: false } as PasskeyItem
  const status = { enrolled: true, methods: [], recoveryCodesRemaining: 0 }

  it('comes with the advice to have recovery codes', () => {
    expect(markedWords(say, passkey, status)).toMatch(
      /^Key is now a second step\. Also create recovery codes/,
    )
    expect(markedWords(say, passkey, { ...status, recoveryCodesRemaining: 8 })).toBe(
      'Key is now a second step.',
    )
  })

  it('turns two-step sign-in off when it was the last and is none any more', () => {
    const marked = { ...passkey, secondFactor: true }
    expect(markedWords(say, marked, status)).toBe('Key is no longer a second step.')
    expect(markedWords(say, marked, { ...status, enrolled: false })).toContain('sign-in is off')
  })
})

describe('a passkey that is removed', () => {
  const passkey = { passkeyId: 'p1', secondFactor: true } as PasskeyItem
  const other = { ...passkey, passkeyId: 'p2' }
  const status = { enrolled: true, methods: ['passkey' as const], recoveryCodesRemaining: 8 }
  const binding = { mode: 'passkey' as const }

  it('takes two-step sign-in with it where it is all that there was', () => {
    const alone = { passkeys: [passkey], status, binding: null }
    expect(lostWith(say, passkey, alone)).toEqual([
      expect.stringContaining('turns off two-step sign-in'),
    ])
    expect(lostWith(say, passkey, { ...alone, passkeys: [passkey, other] })).toEqual([])
    const withApp = { ...status, methods: ['totp' as const, 'passkey' as const] }
    expect(lostWith(say, passkey, { ...alone, status: withApp })).toEqual([])
    expect(lostWith(say, passkey, { ...alone, status: null })).toEqual([])
  })

  it('leaves a bound session nothing to be renewed by where it was the last', () => {
    const alone = { passkeys: [passkey], status: null, binding }
    expect(lostWith(say, passkey, alone)).toEqual([expect.stringContaining('can’t renew it')])
    expect(lostWith(say, passkey, { ...alone, passkeys: [passkey, other] })).toEqual([])
    expect(lostWith(say, passkey, { ...alone, binding: { mode: 'none' } })).toEqual([])
  })
})

describe('what a passkey failed at', () => {
  it('is told from what anything else did', () => {
    const words = [
      [new PasskeyAlreadyRegisteredError(), 'already'],
      [new LastRecoveryCredentialError(), 'Set a password'],
      [new InvalidCredentialsError(), 'password is wrong'],
      [new PasskeyChallengeError(), 'too long'],
      [new PasskeyVerificationError(), 'not accepted'],
      [new RecentAuthenticationRequiredError(), 'Confirm that it is you'],
      [new MfaUnavailableError(), 'encryption keys'],
      [Object.assign(new Error('no'), { name: 'SecurityError' }), 'Your browser'],
      [new TypeError('fetch failed'), 'does not answer'],
    ] as const
    for (const [error, said] of words) expect(passkeyFailure(say, error)).toContain(said)
  })

  it('is the passkey, not a password, at a sign-in with a passkey', () => {
    for (const error of [new PasskeyVerificationError(), new InvalidCredentialsError()]) {
      expect(passkeySignInFailure(say, error)).toContain('doesn’t belong to an account')
    }
    expect(passkeySignInFailure(say, new PasskeyChallengeError())).toContain('Try again')
  })
})
