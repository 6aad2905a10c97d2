import { withWork } from '@svc/auth'
import { useCallback, useState } from 'react'
import { type SendProof, sendProof } from './send-proof.ts'
import { useAction } from './use-action.ts'

export interface RequestedLink {
  readonly email: string
  readonly expiresAt: Date
}

export interface LinkRequestOptions extends SendProof {
  /** Where whoever opens the link is led in the end: a path of the app. */
  returnPath?: string | undefined
}

interface Body {
  email: string
  returnPath?: string
  proof?: string
  work?: string
}

type Ask = (body: Body) => Promise<{ expiresAt: string }>

/** Asking for a link by mail. Asking again is sending again: the link before is dead. */
export function useLinkRequest(ask: Ask, { returnPath, proof }: LinkRequestOptions) {
  const [sent, setSent] = useState<RequestedLink | null>(null)
  const sending = useAction(async (email: string) => {
    const to = { email, ...(returnPath !== undefined && { returnPath }) }
    const body = { ...to, ...(await sendProof(proof)) }
    const { expiresAt } = await withWork((work) => ask({ ...body, ...work }))
    setSent({ email, expiresAt: new Date(expiresAt) })
    return email
  })
  const { reset } = sending
  /** Back to the question for an address. */
  const startOver = useCallback(() => {
    setSent(null)
    reset()
  }, [reset])
  return { sent, sending, startOver }
}
