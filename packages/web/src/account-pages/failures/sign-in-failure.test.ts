import { createAuthApi } from '@svc/auth'
import { describe, expect, it } from 'vitest'
import { english as say } from '../words/say.ts'
import { codeFailure, codeSignInFailure, signInFailure } from './sign-in-failure.tsx'

/** What a call throws when it is answered with this refusal, or not at all. */
function thrownFor(status?: number, type?: string, fields = {}): Promise<unknown> {
  const answer = async () => {
    if (status === undefined) throw new TypeError('fetch failed')
    return Response.json({ ...(type && { __type: type }), message: 'Words', ...fields }, { status })
  }
  return createAuthApi({ fetch: answer })
    .logout.call()
    .catch((error: unknown) => error)
}

describe('signInFailure', () => {
  it('does not call a password wrong that was not checked', async () => {
    for (const error of [await thrownFor(), await thrownFor(503), new TypeError('no')]) {
      expect(signInFailure(say, error)).toContain('does not answer')
    }
    expect(signInFailure(say, await thrownFor(401, 'InvalidCredentialsError'))).toContain('wrong')
  })

  it('says how long to wait after too many tries', async () => {
    const after = async (retryAfter: number) =>
      signInFailure(say, await thrownFor(429, 'TooManyRequestsError', { retryAfter }))
    expect(await after(1)).toContain('in 1 second.')
    expect(await after(42)).toContain('in 42 seconds.')
    expect(await after(91)).toContain('in 2 minutes.')
  })
})

describe('codeSignInFailure', () => {
  it('tells a user who has proved the address that it has no account', async () => {
    expect(codeSignInFailure(say, await thrownFor(401, 'InvalidCredentialsError'))).toContain(
      'No account',
    )
    expect(codeSignInFailure(say, await thrownFor(403, 'AccountDisabledError'))).toContain(
      'suspended',
    )
  })

  it('tells a wrong code from one that was sent too long ago, and from a call that was refused', async () => {
    expect(codeFailure(say, await thrownFor(400, 'InvalidVerificationCodeError'))).toContain(
      'This code is wrong',
    )
    expect(codeFailure(say, await thrownFor(400, 'InvalidVerificationTokenError'))).toContain(
      'too long',
    )
    expect(codeFailure(say, await thrownFor(403, 'ForbiddenError'))).toContain('open for too long')
    expect(codeFailure(say, await thrownFor(401, 'UnauthorizedError'))).toContain(
      'no longer signed in',
    )
  })
})
