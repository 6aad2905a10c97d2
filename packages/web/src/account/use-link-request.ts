import { useCallback, useState } from 'react'
import { useAction } from './use-action.ts'

export interface RequestedLink {
  readonly email: string
  readonly expiresAt: Date
}

export interface LinkRequestOptions {
  /** Where whoever opens the link is led in the end: a path of the app. */
  returnPath?: string | undefined
}

type Ask = (body: { email: string; returnPath?: string }) => Promise<{ expiresAt: string }>

/** Asking for a link by mail. Asking again is sending again: the link before is dead. */
export function useLinkRequest(ask: Ask, { returnPath }: LinkRequestOptions) {
  const [sent, setSent] = useState<RequestedLink | null>(null)
  const sending = useAction(async (email: string) => {
    const { expiresAt } = await ask({ email, ...(returnPath !== undefined && { returnPath }) })
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
