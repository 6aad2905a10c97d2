import { authApi } from '@svc/auth'
import { useState } from 'react'
import { useAction } from '../../account/account.ts'
import type { DecidedFields } from '../../consent/consent.ts'
import { failureWords } from '../failures/failure-words.ts'
import type { Say } from '../words/say.ts'

/** Another account has signed in since the page was rendered, or the session has another key. */
class SessionChangedError extends Error {
  override readonly name = 'SessionChangedError'
}

/**
 * Decides about the request that the page was rendered for, and then leaves for the client.
 * `goingTo` is where.
 */
export function useConsent({ fields, keyId }: DecidedFields) {
  const [goingTo, setGoingTo] = useState<string | null>(null)
  const deciding = useAction(async (decision: 'allow' | 'deny', owner: string) => {
    await requireKey(keyId)
    const isFor = decision === 'allow' && owner !== '' && { owner }
    const body = { ...fields, decision, ...isFor }
    const { redirectTo } = await authApi.createOAuth2AuthorizationCode.call({ body })
    setGoingTo(redirectTo)
    location.assign(redirectTo)
  })
  return { goingTo, deciding }
}

/** Throws if another account has signed in since: it must not decide about what was shown to the first one. */
export async function requireKey(keyId: string) {
  const session = await authApi.getAuthSession.call()
  if (session.keyId !== keyId) throw new SessionChangedError()
}

/** Why nothing was decided; empty if nothing has failed. */
export function refusal(say: Say, error: unknown) {
  if (error instanceof SessionChangedError) {
    return say(
      'Nothing was decided, because your session has changed. Reload the page, check the request and choose again.',
    )
  }
  return error ? failureWords(say, error) : ''
}
