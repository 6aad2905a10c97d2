import {
  PasskeyNotFoundError,
  PasskeyVerificationError,
  SessionRenewalRefusedError,
} from '@svc/auth'
import { ServiceUnavailableError, UnauthorizedError } from '@svc/core/client'
import { expect, it } from 'vitest'
import { english as say } from '../words/say.ts'
import { bindingFailure, isRenewalOver, renewalFailure } from './binding-failure.ts'

it('knows when the user must sign in again', () => {
  expect(isRenewalOver(new SessionRenewalRefusedError())).toBe(true)
  expect(isRenewalOver(new UnauthorizedError())).toBe(true)
  for (const error of [null, new ServiceUnavailableError(), new PasskeyVerificationError()]) {
    expect(isRenewalOver(error)).toBe(false)
  }
  expect(renewalFailure(say, new ServiceUnavailableError())).toContain('does not answer')
})

it('says that a session is bound to passkeys that have to be there', () => {
  expect(bindingFailure(say, new PasskeyNotFoundError())).toContain('Add one first')
  expect(bindingFailure(say, new PasskeyVerificationError())).toContain('Try again')
})
