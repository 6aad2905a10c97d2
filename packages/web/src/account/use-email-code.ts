import { authApi, type ProxiedLoginResult, withWork } from '@svc/auth'
import { useCallback, useState } from 'react'
import { type SendProof, sendProof } from './send-proof.ts'
import { useAction } from './use-action.ts'

/** Where a code was sent, and until when it works. */
export interface SentCode {
  readonly email: string
  readonly expiresAt: Date
}

/** An address that the user has proved to be theirs. */
export interface ProvenEmail {
  readonly email: string
  readonly verificationToken: string
}

interface UseEmailCodeOptions extends SendProof {
  /** The purpose of the code. No other operation accepts it. */
  purpose: Parameters<typeof authApi.verifyCode.call>[0]['body']['purpose']
  /** If this fails, it is the failure of `verifying`. */
  onProven: (proven: ProvenEmail) => void | Promise<void>
  api?: Pick<typeof authApi, 'sendVerificationCode' | 'verifyCode'>
}

/** Proves an address: a code is mailed there, and the user types it in. */
export function useEmailCode({ purpose, onProven, proof, api = authApi }: UseEmailCodeOptions) {
  const [sent, setSent] = useState<SentCode | null>(null)
  const sending = useAction(async (email: string) => {
    const proved = await sendProof(proof)
    const body = { target: email, targetType: 'email', purpose, ...proved } as const
    const { expiresAt } = await withWork((work) =>
      api.sendVerificationCode.call({ body: { ...body, ...work } }),
    )
    setSent({ email, expiresAt: new Date(expiresAt) })
    return email
  })
  const verifying = useAction(async (code: string) => {
    if (!sent) return
    const { email } = sent
    const body = { target: email, targetType: 'email', purpose, code } as const
    const { verificationToken } = await api.verifyCode.call({ body })
    await onProven({ email, verificationToken })
  })
  const { reset: forgetSending } = sending
  const { reset: forgetVerifying } = verifying
  /** Asks for an address again. */
  const startOver = useCallback(() => {
    setSent(null)
    forgetSending()
    forgetVerifying()
  }, [forgetSending, forgetVerifying])
  return { sent, sending, verifying, startOver }
}

interface UseCodeSignInOptions extends SendProof {
  /** The user is signed in. If `mfaRequired` is true, not before they prove a second factor. */
  onAnswer: (result: ProxiedLoginResult) => void | Promise<void>
  api?: Pick<typeof authApi, 'sendVerificationCode' | 'verifyCode' | 'login'>
}

/**
 * Signs in with a mailed code. A failure after the code was requested is the failure of
 * `verifying`.
 */
export function useCodeSignIn({ onAnswer, proof, api = authApi }: UseCodeSignInOptions) {
  return useEmailCode({
    purpose: 'login',
    onProven: async (proven) => onAnswer(await api.login.call({ body: proven })),
    proof,
    api,
  })
}

interface UseRegisterOptions {
  /** The account is open, and this browser is signed in to it. */
  onRegistered: () => void
  api?: Pick<typeof authApi, 'register'>
}

/** Opens an account for an address that was proved for the purpose `registration`, and signs in. */
export function useRegister({ onRegistered, api = authApi }: UseRegisterOptions) {
  return useAction(async (given: ProvenEmail & { password: string }) => {
    await api.register.call({ body: given })
    onRegistered()
  })
}
