import { type AuthApi, authApi } from '@svc/auth'
import type { AnswerOf } from '@svc/core/client'
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
