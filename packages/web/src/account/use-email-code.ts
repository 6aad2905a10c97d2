import { authApi, withWork } from '@svc/auth'
import { useCallback, useState } from 'react'
import { type SendProof, sendProof } from './send-proof.ts'
import { useAction } from './use-action.ts'

export interface SentCode {
  readonly email: string
  readonly expiresAt: Date
}

/** An address that somebody has proved to be theirs. */
export interface ProvenEmail {
  readonly email: string
  readonly verificationToken: string
}

interface Options extends SendProof {
  /** What the code is for; no other operation takes it. */
  purpose: Parameters<typeof authApi.verifyCode.call>[0]['body']['purpose']
  /** What fails here is the failure of `verifying`. */
  onProven: (proven: ProvenEmail) => void | Promise<void>
  api?: Pick<typeof authApi, 'sendVerificationCode' | 'verifyCode'>
}

/** Proving an address: a code goes there, and whoever types it in has read it. */
export function useEmailCode({ purpose, onProven, proof, api = authApi }: Options) {
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
  /** Back to the question for an address. */
  const startOver = useCallback(() => {
    setSent(null)
    forgetSending()
    forgetVerifying()
  }, [forgetSending, forgetVerifying])
  return { sent, sending, verifying, startOver }
}
