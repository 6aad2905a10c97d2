import { type AuthApi, authApi } from '@svc/auth'
import { type AnswerOf, HttpError, TooManyRequestsError } from '@svc/core/client'
import { useCallback, useState } from 'react'
import { useAction } from './use-action.ts'

/** What an approver recognises a waiting device by. */
export type WaitingDevice = AnswerOf<AuthApi['getDeviceAuthInfo']>

interface Found {
  readonly userCode: string
  readonly device: WaitingDevice
}

interface Options {
  api?: Pick<typeof authApi, 'getDeviceAuthInfo' | 'approveDeviceAuth' | 'denyDeviceAuth'>
}

/**
 * Lets a device that shows a code sign in to the caller's account. `looking` finds the device by its code, which is then
 * there to be looked at; `approving` and `denying` decide, once.
 */
export function useDeviceApproval({ api = authApi }: Options = {}) {
  const [found, setFound] = useState<Found | null>(null)
  const [decision, setDecision] = useState<'approved' | 'denied' | null>(null)
  const looking = useAction(async (userCode: string) => {
    setFound({ userCode, device: await api.getDeviceAuthInfo.call({ body: { userCode } }) })
  })
  const approving = useAction(async ({ userCode }: Found) => {
    await api.approveDeviceAuth.call({ body: { userCode } })
    setDecision('approved')
  })
  const denying = useAction(async ({ userCode }: Found) => {
    await api.denyDeviceAuth.call({ body: { userCode } })
    setDecision('denied')
  })
  const { reset: forgetApproving } = approving
  const { reset: forgetDenying } = denying
  /** Back to the question for a code. */
  const startOver = useCallback(() => {
    setFound(null)
    setDecision(null)
    forgetApproving()
    forgetDenying()
  }, [forgetApproving, forgetDenying])
  return { found, decision, looking, approving, denying, startOver }
}

type Answer = Awaited<ReturnType<typeof authApi.pollDeviceAuth.call>>
export type ApprovedDevice = Extract<Answer, { status: 'approved' }>

/** Asks once whether somebody has decided. */
export type AskForDecision = (signal: AbortSignal) => Promise<Answer>

interface Wait {
  /** How soon one question may follow another; the API's own answers change it. */
  intervalMillis: number
  /** Aborts when nobody waits any more. */
  signal: AbortSignal
}

/** Asks until somebody approves the device; null when the wait was given up. Throws what else ends it, such as a denial. */
export async function deviceDecision(
  ask: AskForDecision,
  { intervalMillis, signal }: Wait,
): Promise<ApprovedDevice | null> {
  let millis = intervalMillis
  while (!signal.aborted) {
    const askedAt = performance.now()
    const answer: Asked = await ask(signal).catch(passing)
    if (answer.status === 'approved') return answer
    millis = answer.intervalMillis ?? millis
    const spent = performance.now() - askedAt
    await pause(Math.max(answer.retryMillis ?? 0, millis - spent), signal)
  }
  return null
}

interface Undecided {
  status: 'pending'
  intervalMillis?: number
  retryMillis?: number
}

type Asked = ApprovedDevice | Undecided

/** What says nothing of the decision: the API has had enough for now, or is away. */
function passing(error: unknown): Asked {
  if (error instanceof TooManyRequestsError) {
    return { status: 'pending', retryMillis: error.retryAfter * 1000 }
  }
  if (error instanceof HttpError && error.status >= 500) return { status: 'pending' }
  throw error
}

function pause(millis: number, signal: AbortSignal) {
  return new Promise<void>((resolve) => {
    const timer = setTimeout(end, Math.max(0, millis))
    function end() {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    signal.addEventListener('abort', end)
    if (signal.aborted) end()
  })
}
