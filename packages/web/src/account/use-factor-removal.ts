import { authApi, FactorRemovalLinkError } from '@svc/auth'
import { ValidationError } from '@svc/core/client'
import { useState } from 'react'
import { useAction } from './use-action.ts'
import { useLinkToken } from './use-mailed-links.ts'

/** `offered`: there is a link, and `keeping` is for a button. `kept`: it was used. `over`: there is no link that is good. */
export type FactorKeepingStage = 'offered' | 'kept' | 'over'

interface KeepingOptions {
  /** The address of the page has a `token`. */
  hasToken: boolean
  api?: Pick<typeof authApi, 'stopFactorRemoval'>
}

/** The page that the mail about the removal of a second factor leads to. Opening it changes nothing. */
export function useKeptFactor({ hasToken, api = authApi }: KeepingOptions) {
  const token = useLinkToken()
  // By the time the page is rendered anew its address has none.
  const [hadToken] = useState(hasToken)
  const [isKept, setIsKept] = useState(false)
  const keeping = useAction(async () => {
    await api.stopFactorRemoval.call({ body: { token: token() } })
    setIsKept(true)
  })
  const { error } = keeping
  // A token that does not even look like one is refused by its shape.
  const isRefused = error instanceof FactorRemovalLinkError || error instanceof ValidationError
  const stage: FactorKeepingStage = isKept ? 'kept' : !hadToken || isRefused ? 'over' : 'offered'
  return { stage, keeping }
}
