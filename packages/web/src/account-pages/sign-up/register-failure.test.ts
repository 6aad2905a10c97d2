import {
  AccountAlreadyExistsError,
  InvalidVerificationTokenError,
  RegistrationRejectedError,
  WeakPasswordError,
} from '@svc/auth'
import { ServiceUnavailableError } from '@svc/core/client'
import { expect, it } from 'vitest'
import { english as say } from '../words/say.ts'
import { registerFailure } from './new-account.tsx'

it('says what to do about an account that was not opened', () => {
  const words = [
    [new WeakPasswordError({ reasons: ['too_short'] }), 'fewer than 8'],
    [new AccountAlreadyExistsError(), 'already has an account'],
    [new InvalidVerificationTokenError(), 'Start again'],
    [new RegistrationRejectedError({ message: 'Ask your school.' }), 'Ask your school.'],
    [new ServiceUnavailableError(), 'does not answer'],
  ] as const
  for (const [error, said] of words) expect(registerFailure(say, error)).toContain(said)
})
