import { InvalidCredentialsError, StepUpRequiredError, WeakPasswordError } from '@svc/auth'
import { expect, it } from 'vitest'
import { passwordFailure } from './password-failure.ts'

it('tells the current password from the new one', () => {
  expect(passwordFailure(new InvalidCredentialsError())).toContain('current password is wrong')
  const weak = new WeakPasswordError({ reasons: ['common'] })
  expect(passwordFailure(weak)).toMatch(/^The new password is not accepted\. It is too easy/)
  expect(passwordFailure(new StepUpRequiredError())).toContain('second step')
})
