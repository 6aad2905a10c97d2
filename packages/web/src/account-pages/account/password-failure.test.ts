import { InvalidCredentialsError, StepUpRequiredError, WeakPasswordError } from '@svc/auth'
import { expect, it } from 'vitest'
import { english as say } from '../words/say.ts'
import { passwordFailure } from './password-setting.tsx'

it('tells the current password from the new one', () => {
  expect(passwordFailure(say, new InvalidCredentialsError())).toContain('current password is wrong')
  const weak = new WeakPasswordError({ reasons: ['common'] })
  expect(passwordFailure(say, weak)).toMatch(/^The new password is not accepted\. It is too easy/)
  expect(passwordFailure(say, new StepUpRequiredError())).toContain('second step')
})
