import { authApi, type OAuth2GrantDescription } from '@svc/auth'
import { useState } from 'react'
import { useAction } from './use-action.ts'

interface Options {
  api?: Pick<typeof authApi, 'getOAuth2Grant'>
}

/** What a connected agent can do now, and what it did. `describing` loads it, and loads it again. */
export function useAgentDescription(grantId: string, { api = authApi }: Options = {}) {
  const [description, setDescription] = useState<OAuth2GrantDescription | null>(null)
  const describing = useAction(async () => {
    setDescription(await api.getOAuth2Grant.call({ params: { grantId } }))
  })
  return { description, describing }
}
