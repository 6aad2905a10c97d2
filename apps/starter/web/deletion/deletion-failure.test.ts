import {
  AccountDisabledError,
  InvalidCredentialsError,
  InvalidVerificationCodeError,
  LastSuperadminError,
} from '@svc/auth'
import { expect, it } from 'vitest'
import { codeRestoreFailure, deletionFailure, restoreFailure } from './deletion-failure.ts'

it('says why an account is still there', () => {
  expect(deletionFailure(new InvalidCredentialsError())).toBe('The password is wrong.')
  expect(deletionFailure(new LastSuperadminError())).toContain('last super administrator')
  expect(deletionFailure(new InvalidVerificationCodeError())).toContain('This code is wrong')
  expect(deletionFailure(new TypeError('no'))).toContain('does not answer')
})

it('says why an account did not come back', () => {
  expect(restoreFailure(new InvalidCredentialsError())).toContain('password is wrong')
  expect(restoreFailure(new AccountDisabledError())).toContain('suspended')
  expect(codeRestoreFailure(new InvalidCredentialsError())).toContain('No account')
  expect(codeRestoreFailure(new InvalidVerificationCodeError())).toContain('This code is wrong')
})
