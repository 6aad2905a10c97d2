'use client'

import type { AuthSession } from '@svc/auth'
import type { ReactNode } from 'react'
import { usePaths, useSay } from '../provider/account-provider.tsx'
import { TextLink } from '../ui/text-link.tsx'
import { AccountTabs } from './account-tabs.tsx'

interface Props {
  session: AuthSession | null
  children: ReactNode
}

/** Around every page of an account: whose it is, and the way to the others. */
export function AccountFrame({ session, children }: Props) {
  const paths = usePaths()
  const say = useSay()
  return (
    <div className="svc-page svc-account">
      {session && (
        <p className="svc-note svc-break">
          <span className="svc-ink">{session.email ?? session.phone ?? session.publicId}</span>
          {' · '}
          {session.role.displayName}
        </p>
      )}
      <AccountTabs />
      {session?.passwordChangeRequired && (
        <p className="svc-notice svc-above-6">
          {say.nodes(
            '<strong>Change your password:</strong> someone else may know it. <link>Change it</link>',
            {
              strong: (text) => <strong className="svc-strong">{text}</strong>,
              link: (text) => <TextLink href={paths.security}>{text}</TextLink>,
            },
          )}
        </p>
      )}
      {children}
    </div>
  )
}
