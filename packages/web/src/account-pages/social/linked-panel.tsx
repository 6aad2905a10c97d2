'use client'

import { useSocialAccounts } from '../../oauth/use-social-accounts.ts'
import { usePaths, useSay } from '../provider/account-provider.tsx'
import { Panel } from '../ui/panel.tsx'
import { TextLink } from '../ui/text-link.tsx'
import { providerNames } from './provider-name.ts'

/** Nothing where there is nothing to link and nothing is. */
export function LinkedPanel({ providers }: { providers: readonly string[] }) {
  const paths = usePaths()
  const say = useSay()
  const { accounts } = useSocialAccounts()
  const linked = accounts?.map(({ provider }) => provider)
  if (providers.length === 0 && !linked?.length) return null
  return (
    <Panel
      title={say('Linked accounts')}
      about={say('Sign in with an account that you have at another service.')}
    >
      <p className="svc-small">
        {linked &&
          (linked.length > 0 ? `${providerNames(say, linked)}. ` : say('You have none yet. '))}
        <TextLink href={paths.linkedAccounts}>{say('Your linked accounts')}</TextLink>
      </p>
    </Panel>
  )
}
