import { type AuthApi, authApi, FactorRemovalLinkError } from '@svc/auth'
import { type AnswerOf, ValidationError } from '@svc/core/client'
import { useState } from 'react'
import { useAction } from './use-action.ts'
import { useInitialLoad } from './use-initial-load.ts'
import { useLinkToken } from './use-mailed-links.ts'

/**
 * `offered`: there is a link, and `keeping` is for a button. `kept`: it was used. `over`: there is
 * no valid link.
 */
export type FactorKeepingStage = 'offered' | 'kept' | 'over'

/** What support was asked to remove, and when it goes. */
export type PendingRemoval = NonNullable<AnswerOf<AuthApi['pendingFactorRemoval']>['removal']>

interface PendingOptions {
  api?: Pick<typeof authApi, 'pendingFactorRemoval' | 'keepFactor'>
}

/** The removal of a second factor of the signed-in user. `keeping` stops it, with a fresh proof. */
export function usePendingRemoval({ api = authApi }: PendingOptions = {}) {
  const [removal, setRemoval] = useState<PendingRemoval | null>(null)
  const [isKept, setIsKept] = useState(false)
  const loading = useAction(async () => {
    const read = await api.pendingFactorRemoval.call()
    setRemoval(read.removal ?? null)
  })
  useInitialLoad(loading.run, undefined)
  const keeping = useAction(async () => {
    await api.keepFactor.call({ body: {} })
    setRemoval(null)
    setIsKept(true)
  })
  return { removal, isKept: isKept && !removal, loading, keeping }
}

interface KeepingOptions {
  /** The address of the page has a `token`. */
  hasToken: boolean
  api?: Pick<typeof authApi, 'stopFactorRemoval'>
}

/** The page that the mail about the removal of a second factor leads to. Opening it changes nothing. */
export function useKeptFactor({ hasToken, api = authApi }: KeepingOptions) {
  const token = useLinkToken()
  // When the page is rendered again, the token is no longer in its address.
  const [hadToken] = useState(hasToken)
  const [isKept, setIsKept] = useState(false)
  const keeping = useAction(async () => {
    await api.stopFactorRemoval.call({ body: { token: token() } })
    setIsKept(true)
  })
  const { error } = keeping
  // A token of the wrong form is refused by its schema.
  const isRefused = error instanceof FactorRemovalLinkError || error instanceof ValidationError
  const stage: FactorKeepingStage = isKept ? 'kept' : !hadToken || isRefused ? 'over' : 'offered'
  return { stage, keeping }
}
