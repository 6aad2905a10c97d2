import { authApi, FactorRemovalLinkError } from '@svc/auth'
import { ValidationError } from '@svc/core/client'
import { useState } from 'react'
import { useAction } from './use-action.ts'
import { useLinkToken } from './use-mailed-links.ts'

/**
 * `offered`: there is a link, and `keeping` is for a button. `kept`: it was used. `over`: there is
 * no valid link.
 */
export type FactorKeepingStage = 'offered' | 'kept' | 'over'

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
