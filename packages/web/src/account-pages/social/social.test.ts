import {
  InvalidCredentialsError,
  LastRecoveryCredentialError,
  SocialAccountAlreadyLinkedError,
  SocialAccountNotLinkedError,
  WebSignInUnsupportedError,
} from '@svc/auth'
import { NotFoundError, ServiceUnavailableError } from '@svc/core/client'
import { describe, expect, it } from 'vitest'
import { english as say } from '../words/say.ts'
import { leaveFailure } from './leave-failure.ts'
import { providerName, providerNames } from './provider-mark.tsx'
import { linkFailure } from './social-failure.ts'

describe('a provider', () => {
  it('is called as it calls itself, or by its id', () => {
    expect(['github', 'google', 'company', 'acme-staff'].map(providerName)).toEqual([
      'GitHub',
      'Google',
      'Company',
      'Acme staff',
    ])
    expect(providerNames(say, ['google', 'kakao', 'acme'])).toBe('Google, Kakao, and Acme')
  })
})

describe('what a person is told', () => {
  it.each([
    [new LastRecoveryCredentialError(), 'Set a password, add a passkey or add an email first.'],
    [new SocialAccountAlreadyLinkedError(), 'is already linked'],
    [new SocialAccountNotLinkedError(), 'no longer linked'],
    [new InvalidCredentialsError(), 'The password is wrong.'],
    [new NotFoundError({ resource: 'provider' }), 'can no longer sign in with this service'],
    [new WebSignInUnsupportedError(), 'can no longer sign in with this service'],
    [new ServiceUnavailableError(), 'does not answer'],
  ])('of linking: %o', (error, words) => {
    expect(linkFailure(say, error)).toContain(words)
  })

  it('of a way to a provider that does not open', () => {
    expect(leaveFailure(say, new WebSignInUnsupportedError())).toContain('Reload the page')
    expect(leaveFailure(say, new TypeError('fetch failed'))).toContain('does not answer')
  })
})
