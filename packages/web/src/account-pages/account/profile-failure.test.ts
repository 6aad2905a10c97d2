import { ReservedUsernameError, UsernameAlreadyTakenError } from '@svc/auth'
import { ServiceUnavailableError, ValidationError } from '@svc/core/client'
import { describe, expect, it } from 'vitest'
import { english as say } from '../words/say.ts'
import { profileFailure, usernameFailure } from './profile-form.tsx'

const invalid = (path: string) =>
  new ValidationError({ fields: [{ path, message: 'Give another one.' }] })

describe('a username that is refused', () => {
  it('is reserved, taken or none, and nothing else was saved', () => {
    const refused = [
      [new ReservedUsernameError(), 'reserved'],
      [new UsernameAlreadyTakenError(), 'is taken'],
      [invalid('body.username'), 'Give another one.'],
    ] as const
    for (const [error, words] of refused) {
      expect(usernameFailure(say, error)).toContain(words)
      expect(profileFailure(say, error)).toContain('Nothing was saved')
    }
  })
})

describe('any other failure', () => {
  it('is not the username’s', () => {
    for (const error of [invalid('body.bio'), new ServiceUnavailableError()]) {
      expect(usernameFailure(say, error)).toBe('')
    }
  })

  it('names the field as the page does', () => {
    expect(profileFailure(say, invalid('body.timezone'))).toBe('Time zone: Give another one.')
    expect(profileFailure(say, new ServiceUnavailableError())).toContain('does not answer')
  })
})
