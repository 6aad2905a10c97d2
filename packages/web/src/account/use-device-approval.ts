import { type AuthApi, authApi } from '@svc/auth'
import { type AnswerOf, HttpError, TooManyRequestsError } from '@svc/core/client'
import { useCallback, useState } from 'react'
import { useAction } from './use-action.ts'

/** What the user needs to recognise a waiting device. */
export type WaitingDevice = AnswerOf<AuthApi['getDeviceAuthInfo']>

interface Found {
  readonly userCode: string
  readonly device: WaitingDevice
}

interface Options {
  api?: Pick<typeof authApi, 'getDeviceAuthInfo' | 'approveDeviceAuth' | 'denyDeviceAuth'>
}

/**
 * Lets a device that shows a code sign in to the user's account. `looking` finds the device by its
 * code, so that the user can look at it. `approving` and `denying` decide, once.
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
  /** Asks for a code again. */
  const startOver = useCallback(() => {
    setFound(null)
    setDecision(null)
    forgetApproving()
    forgetDenying()
  }, [forgetApproving, forgetDenying])
  return { found, decision, looking, approving, denying, startOver }
}

type Answer = Awaited<ReturnType<typeof authApi.pollDeviceAuth.call>>
/** The answer to a device whose sign-in was approved. */
export type ApprovedDevice = Extract<Answer, { status: 'approved' }>

/** Asks once whether the other device has approved or denied. */
export type AskForDecision = (signal: AbortSignal) => Promise<Answer>

interface Wait {
  /** The shortest time between two questions. The API's answers change it. */
  intervalMillis: number
  /** Aborts when the wait was given up. */
  signal: AbortSignal
}

/**
 * Asks until the user approves the device; null when the wait was given up. Throws what else ends
 * it, such as a denial.
 */
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

/**
 * The state after a failure that says nothing about the decision: the API limits the calls, or is
 * down.
 */
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
