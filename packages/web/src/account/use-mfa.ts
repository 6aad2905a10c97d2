import { type AuthApi, authApi, type MfaStatus, type ProxiedLoginResult } from '@svc/auth'
import type { AnswerOf } from '@svc/core/client'
import { useCallback, useState } from 'react'
import { useAction } from './use-action.ts'
import { useInitialLoad } from './use-initial-load.ts'
import { useFactorProof } from './use-recent-proof.ts'

interface StatusOptions {
  /** What the server found when it rendered the page. */
  initial?: MfaStatus
  onDisabled?: () => void
  api?: Pick<typeof authApi, 'mfaStatus' | 'mfaDisable'>
}

/** Whether the account has a second factor, and which. `disabling` removes all of them. */
export function useMfaStatus({ initial, onDisabled, api = authApi }: StatusOptions = {}) {
  const [status, setStatus] = useState<MfaStatus | null>(initial ?? null)
  const loading = useAction(async () => setStatus(await api.mfaStatus.call()))
  const disabling = useAction(async () => {
    await api.mfaDisable.call()
    setStatus({ enrolled: false, methods: [], recoveryCodesRemaining: 0 })
    onDisabled?.()
    return true
  })
  const { run: load } = loading
  useInitialLoad(load, initial)
  return { status, loading, disabling, reload: load }
}

/**
 * The values to set an authenticator app up: the address for a QR code, and the secret to type in.
 */
export type TotpSecret = AnswerOf<AuthApi['mfaTotpEnroll']>

interface EnrollmentOptions {
  /** The authenticator app is the second factor. The recovery codes are shown this once. */
  onEnrolled?: (recoveryCodes: string[]) => void
  api?: Pick<typeof authApi, 'mfaTotpEnroll' | 'mfaTotpConfirm'>
}

/**
 * Sets an authenticator app up: `enrolling` gets a `secret`, and `confirming` takes the first code.
 */
export function useTotpEnrollment({ onEnrolled, api = authApi }: EnrollmentOptions = {}) {
  const [secret, setSecret] = useState<TotpSecret | null>(null)
  const [recoveryCodes, setRecoveryCodes] = useState<string[] | null>(null)
  const enrolling = useAction(async () => {
    setRecoveryCodes(null)
    setSecret(await api.mfaTotpEnroll.call({ body: {} }))
  })
  const confirming = useAction(async (code: string) => {
    const { recoveryCodes: codes } = await api.mfaTotpConfirm.call({ body: { code } })
    setSecret(null)
    setRecoveryCodes(codes)
    onEnrolled?.(codes)
    return codes
  })
  const { reset: forgetEnrolling } = enrolling
  const { reset: forgetConfirming } = confirming
  /** Forgets the secret and the codes. */
  const startOver = useCallback(() => {
    setSecret(null)
    setRecoveryCodes(null)
    forgetEnrolling()
    forgetConfirming()
  }, [forgetEnrolling, forgetConfirming])
  return { secret, recoveryCodes, enrolling, confirming, startOver }
}

interface CodesOptions {
  api?: Pick<typeof authApi, 'mfaRegenerateRecoveryCodes'>
}

/** Ten new recovery codes, which are shown only once. The old ones stop working. */
export function useRecoveryCodes({ api = authApi }: CodesOptions = {}) {
  const [recoveryCodes, setRecoveryCodes] = useState<string[] | null>(null)
  const regenerating = useAction(async () => {
    const { recoveryCodes: codes } = await api.mfaRegenerateRecoveryCodes.call({ body: {} })
    setRecoveryCodes(codes)
    return codes
  })
  const forget = useCallback(() => setRecoveryCodes(null), [])
  return { recoveryCodes, regenerating, forget }
}

interface Options {
  /** The user is signed in. */
  onAnswer: (result: ProxiedLoginResult) => void | Promise<void>
  api?: Pick<typeof authApi, 'mfaVerify' | 'mfaVerifyOptions'>
}

/**
 * The page that finishes a sign-in which waits for the second factor. `proving` takes `{ code }` or
 * `{ recoveryCode }`, `provingByPasskey` opens the browser's dialog. A cookie of the proxy says
 * which sign-in it is.
 */
export function useSecondFactor({ onAnswer, api = authApi }: Options) {
  return useFactorProof({
    options: () => api.mfaVerifyOptions.call({ body: {} }),
    prove: async (body) => onAnswer(await api.mfaVerify.call({ body })),
  })
}
