import { AccountAlreadyExistsError, InvalidCredentialsError } from '@svc/auth'
import { ServiceUnavailableError, TooManyRequestsError, UnauthorizedError } from '@svc/core/client'
import { expect, it } from 'vitest'
import { english as say } from '../words/say.ts'
import { changeFailure } from './contact-failure.ts'

it('tells a taken address, a wrong password and an API that is away apart', () => {
  expect(changeFailure(say, new AccountAlreadyExistsError())).toContain('Another account')
  expect(changeFailure(say, new InvalidCredentialsError())).toContain('password is wrong')
  expect(changeFailure(say, new UnauthorizedError())).toContain('no longer signed in')
  expect(changeFailure(say, new TooManyRequestsError({ retryAfter: 42 }))).toContain(
    'in 42 seconds',
  )
  expect(changeFailure(say, new ServiceUnavailableError())).toContain('does not answer')
})
