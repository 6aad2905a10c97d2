import {
  InvalidCredentialsError,
  MfaAlreadyEnrolledError,
  MfaNotEnrolledError,
  MfaUnavailableError,
  MfaVerificationFailedError,
} from '@svc/auth'
import { ServiceUnavailableError, TooManyRequestsError, UnauthorizedError } from '@svc/core/client'
import { describe, expect, it } from 'vitest'
import {
  factorFailure,
  isSignInOver,
  setupFailure,
  signInFactorFailure,
  stepUpFailure,
} from '../failures/factor-failure.ts'
import { english as say } from '../words/say.ts'
import { qrPath } from './authenticator-setup.tsx'
import { inGroups, typedProof } from './prove-factor.tsx'
import { codesFile } from './recovery-codes.tsx'
import { codesLeft, methodsInWords } from './turned-on.tsx'

describe('a code of an authenticator app', () => {
  it('is read as apps show it and as it is pasted', () => {
    for (const typed of ['123456', ' 123 456 ', '123-456', '1 2 3 4 5 6\n']) {
      expect(typedProof(say, 'code', typed).proof).toEqual({ code: '123456' })
    }
  })

  it('is nothing else', () => {
    for (const typed of ['', '12345', '1234567', 'abcdef', '12345x']) {
      expect(typedProof(say, 'code', typed)).toEqual({
        proof: null,
        problem: 'A code has six digits.',
      })
    }
  })
})

describe('a recovery code', () => {
  it('is read in either case, with or without its dash', () => {
    for (const typed of ['abcde-23456', 'ABCDE23456', ' abcde 23456 ', 'abcde–23456']) {
      expect(typedProof(say, 'recoveryCode', typed).proof).toEqual({ recoveryCode: 'abcde-23456' })
    }
  })

  it('is nothing else', () => {
    for (const typed of ['', '123456', 'abcde-2345', 'abcde-234567']) {
      expect(typedProof(say, 'recoveryCode', typed).problem).toContain('ten letters')
    }
  })
})

it('shows a secret in groups', () => {
  expect(inGroups('JBSWY3DPEHPK3PXP')).toBe('JBSW Y3DP EHPK 3PXP')
  expect(inGroups('JBSWY3')).toBe('JBSW Y3')
})

it('says in the file of recovery codes what they are, for what and since when', () => {
  const at = new Date('2030-01-02T03:04:05Z')
  const given = { account: 'ada@example.com', host: 'localhost:3790', at }
  const { name, text } = codesFile(say, ['abcde-23456', 'fghjk-34567'], given)
  expect(name).toBe('recovery-codes-localhost-3790.txt')
  expect(text).toContain('of ada@example.com for localhost:3790\nMade on 2030-01-02.')
  expect(text.split('\n').slice(-3)).toEqual(['abcde-23456', 'fghjk-34567', ''])
})

describe('a QR code', () => {
  const { size, path } = qrPath('otpauth://totp/Svc:ada?secret=JBSWY3DPEHPK3PXP')
  const runs = [...path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\3z/g)].map((found) => found.map(Number))

  it('is one path of rectangles', () => {
    expect(runs.map(([, x, y, length]) => `M${x} ${y}h${length}v1h-${length}z`).join('')).toBe(path)
  })

  it('has a quiet zone of four modules around it', () => {
    for (const [, x = 0, y = 0, length = 0] of runs) {
      expect(Math.min(x, y, size - x - length, size - 1 - y)).toBeGreaterThanOrEqual(4)
    }
    // The upper edge of the first finder, which every code has there.
    expect(path).toMatch(/^M4 4h7v1h-7z/)
  })
})

it('nudges a user who has three recovery codes or fewer', () => {
  expect(codesLeft(say, 10)).toBe('10 are left.')
  expect(codesLeft(say, 4)).toBe('4 are left.')
  expect(codesLeft(say, 3)).toBe('3 are left. Create new ones soon.')
  expect(codesLeft(say, 1)).toBe('Only one is left. Create new ones soon.')
  expect(codesLeft(say, 0)).toContain('You have none.')
})

it('says what the second step is', () => {
  expect(methodsInWords(say, ['totp'])).toBe('an authenticator app')
  expect(methodsInWords(say, ['totp', 'passkey'])).toBe('an authenticator app or a passkey')
})

describe('a second step that was not taken', () => {
  const wrong = new MfaVerificationFailedError()

  it('may be a wrong code, or the end of the sign-in: the message is the same', () => {
    expect(signInFactorFailure(say, wrong)).toMatch(/try again.*start over/)
    expect(isSignInOver(wrong)).toBe(false)
  })

  it('is over where no sign-in waits in this browser', () => {
    for (const error of [new UnauthorizedError(), new InvalidCredentialsError()]) {
      expect(isSignInOver(error)).toBe(true)
      expect(signInFactorFailure(say, error)).toContain('Your sign-in has expired')
    }
  })

  it('is told in words of where it was asked for', () => {
    expect(stepUpFailure(say, wrong)).toBe('That was wrong. Check it and try again.')
    expect(stepUpFailure(say, new InvalidCredentialsError())).toBe('The password is wrong.')
    expect(setupFailure(say, wrong)).toContain('clock')
    expect(setupFailure(say, new MfaNotEnrolledError())).toContain('start again')
    expect(factorFailure(say, new MfaNotEnrolledError())).toContain('Use another')
    expect(factorFailure(say, new MfaAlreadyEnrolledError())).toContain('already')
    expect(factorFailure(say, new MfaUnavailableError())).toContain('encryption keys')
    for (const words of [signInFactorFailure, stepUpFailure, setupFailure]) {
      expect(words(say, new TooManyRequestsError({ retryAfter: 300 }))).toContain('in 5 minutes')
      expect(words(say, new ServiceUnavailableError())).toContain('does not answer')
    }
  })
})
