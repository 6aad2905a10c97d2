import { type AuthApi, authApi } from '@svc/auth'
import { type AnswerOf, NotFoundError } from '@svc/core/client'
import { useCallback, useState } from 'react'
import { useAction } from './use-action.ts'

/** What a program asks for that shows a code. It has chosen its name itself. */
export type AgentRequest = AnswerOf<AuthApi['getOAuth2DeviceRequest']>

interface Found {
  readonly request: AgentRequest
}

interface Options {
  api?: Pick<typeof authApi, 'getOAuth2DeviceRequest' | 'decideOAuth2DeviceRequest'>
}

/**
 * Lets a program that shows a code use the account (RFC 8628). `looking` resolves to false if no program shows this
 * code: it may be that of a device. `allowing` and `denying` decide, once. `allowing` takes the id of one of `owners`,
 * or nothing for the user themselves.
 */
export function useAgentRequest({ api = authApi }: Options = {}) {
  const [found, setFound] = useState<Found | null>(null)
  const [decision, setDecision] = useState<'allowed' | 'denied' | null>(null)
  const looking = useAction(async (userCode: string) => {
    try {
      setFound({ request: await api.getOAuth2DeviceRequest.call({ body: { userCode } }) })
      return true
    } catch (error) {
      if (error instanceof NotFoundError) return false
      throw error
    }
  })
  const allowing = useAction(async ({ request: { userCode } }: Found, owner?: string) => {
    const body = { userCode, decision: 'allow' as const, ...(owner && { owner }) }
    await api.decideOAuth2DeviceRequest.call({ body })
    setDecision('allowed')
  })
  const denying = useAction(async ({ request: { userCode } }: Found) => {
    await api.decideOAuth2DeviceRequest.call({ body: { userCode, decision: 'deny' } })
    setDecision('denied')
  })
  const { reset: forgetAllowing } = allowing
  const { reset: forgetDenying } = denying
  /** Asks for a code again. */
  const startOver = useCallback(() => {
    setFound(null)
    setDecision(null)
    forgetAllowing()
    forgetDenying()
  }, [forgetAllowing, forgetDenying])
  return { found, decision, looking, allowing, denying, startOver }
}
