import { WeakPasswordError } from '@svc/auth'
import { TooManyRequestsError } from '@svc/core/client'
import { expect, it } from 'vitest'
import { english as say } from '../words/say.ts'
import { resetFailure } from './reset-password.tsx'

it('says what to do about a password that was not set', () => {
  const words = [
    [new WeakPasswordError({ reasons: ['too_short'] }), 'fewer than 8'],
    [new TooManyRequestsError({ retryAfter: 42 }), 'in 42 seconds'],
    [new TypeError('fetch failed'), 'does not answer'],
  ] as const
  for (const [error, said] of words) expect(resetFailure(say, error)).toContain(said)
})
