'use client'

import { useSocialAccounts } from '@svc/web/react'
import { Panel } from '../ui/panel.tsx'
import { TextLink } from '../ui/text-link.tsx'
import { providerNames } from './provider-name.ts'

/** Nothing where there is nothing to link and nothing is. */
export function LinkedPanel({ providers }: { providers: readonly string[] }) {
  const { accounts } = useSocialAccounts()
  const linked = accounts?.map(({ provider }) => provider)
  if (providers.length === 0 && !linked?.length) return null
  return (
    <Panel
      title="Linked accounts"
      about="Sign in with an account that you have at another service."
    >
      <p className="text-sm">
        {linked && (linked.length > 0 ? `${providerNames(linked)}. ` : 'You have none yet. ')}
        <TextLink href="/account/security/linked">Your linked accounts</TextLink>
      </p>
    </Panel>
  )
}
