import { AccountAlreadyExistsError, InvalidCredentialsError } from '@svc/auth'
import { ServiceUnavailableError, TooManyRequestsError, UnauthorizedError } from '@svc/core/client'
import { expect, it } from 'vitest'
import { changeFailure } from './contact-failure.ts'

it('tells a taken address, a wrong password and an API that is away apart', () => {
  expect(changeFailure(new AccountAlreadyExistsError())).toContain('Another account')
  expect(changeFailure(new InvalidCredentialsError())).toContain('password is wrong')
  expect(changeFailure(new UnauthorizedError())).toContain('no longer signed in')
  expect(changeFailure(new TooManyRequestsError({ retryAfter: 42 }))).toContain('in 42 seconds')
  expect(changeFailure(new ServiceUnavailableError())).toContain('does not answer')
})
