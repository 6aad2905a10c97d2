import type { HttpError } from '@svc/core/contract'
import { describe, expect, it } from 'vitest'
import { authErrors } from './error-classes.ts'
import { errorMessages } from './error-messages.ts'
import { OAuth2Error } from './oauth2/errors.ts'

// Its protocol has codes, and says more only where there is more to say.
const ours = authErrors.filter((Class) => Class !== OAuth2Error)
// Those that take facts say it in their constructor.
const refusals = ours.map((Class) => {
  const { name, message } = new (Class as new (facts: object) => HttpError)({})
  return [name, message || errorMessages[name]]
})

describe('a refusal without a message of its own', () => {
  it.each(refusals)('says what is wrong, and then what to do: %s', (_, message) => {
    expect(message).toMatch(/^[A-Z].*\. [A-Z].*\.$/)
  })

  it('is a class that exists', () => {
    const names = ours.map((Class) => new (Class as new (facts: object) => HttpError)({}).name)
    expect(Object.keys(errorMessages).filter((name) => !names.includes(name))).toEqual([])
  })
})
