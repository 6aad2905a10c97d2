import {
  AccountDisabledError,
  InvalidCredentialsError,
  InvalidVerificationCodeError,
  LastSuperadminError,
} from '@svc/auth'
import { expect, it } from 'vitest'
import { english as say } from '../words/say.ts'
import { codeRestoreFailure, deletionFailure, restoreFailure } from './deletion-failure.ts'

it('says why an account is still there', () => {
  expect(deletionFailure(say, new InvalidCredentialsError())).toBe('The password is wrong.')
  expect(deletionFailure(say, new LastSuperadminError())).toContain('last super administrator')
  expect(deletionFailure(say, new InvalidVerificationCodeError())).toContain('This code is wrong')
  expect(deletionFailure(say, new TypeError('no'))).toContain('does not answer')
})

it('says why an account did not come back', () => {
  expect(restoreFailure(say, new InvalidCredentialsError())).toContain('password is wrong')
  expect(restoreFailure(say, new AccountDisabledError())).toContain('suspended')
  expect(codeRestoreFailure(say, new InvalidCredentialsError())).toContain('No account')
  expect(codeRestoreFailure(say, new InvalidVerificationCodeError())).toContain(
    'This code is wrong',
  )
})
