import { authApi, type OAuth2GrantItem } from '@svc/auth'
import { NotFoundError } from '@svc/core/client'
import { useState } from 'react'
import { useAction } from './use-action.ts'
import { useInitialLoad } from './use-initial-load.ts'

interface Options {
  /** What the server found when it rendered the page. */
  initial?: OAuth2GrantItem[]
  /** An agent was disconnected. */
  onChanged?: () => void
  api?: Pick<typeof authApi, 'listOAuth2Grants' | 'revokeOAuth2Grant'>
}

/** What the signed-in user has allowed to agents. `disconnecting` takes the id of a grant. */
export function useConnectedAgents({ initial, onChanged, api = authApi }: Options = {}) {
  const [grants, setGrants] = useState<OAuth2GrantItem[] | null>(initial ?? null)
  const loading = useAction(async () => {
    setGrants((await api.listOAuth2Grants.call()).grants)
  })
  const disconnecting = useAction(async (grantId: string) => {
    await api.revokeOAuth2Grant.call({ params: { grantId } }).catch(endedAlready)
    setGrants((before) => before && withoutGrant(before, grantId))
    onChanged?.()
    return grantId
  })

  const { run: load } = loading
  useInitialLoad(load, initial)

  return { grants, loading, disconnecting, reload: load }
}

/**
 * The agent has ended its access itself meanwhile, or the access has expired. That is what the user
 * wanted.
 */
function endedAlready(error: unknown) {
  if (!(error instanceof NotFoundError)) throw error
}

/** What other programs got through a grant ends with it. */
function withoutGrant(grants: OAuth2GrantItem[], grantId: string): OAuth2GrantItem[] {
  const below = grants.filter(({ parentId }) => parentId === grantId)
  const others = grants.filter((each) => each.grantId !== grantId)
  return below.reduce((left, each) => withoutGrant(left, each.grantId), others)
}
