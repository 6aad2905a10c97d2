'use client'

import type { AuthSession, KeyListItem } from '@svc/auth'
import { usePathname } from 'next/navigation.js'
import type { ReactNode } from 'react'
import { AccountChanges } from '../live/account-changes.tsx'
import { usePaths, useSay } from '../provider/account-provider.tsx'
import { RemovalNotice } from '../second-factor/removal-notice.tsx'
import { TextLink } from '../ui/button.tsx'
import { isUnder } from '../ui/is-under.ts'
import { LinkTabs } from '../ui/link-tabs.tsx'
import { SupportNotice } from './support-notice.tsx'
import { SupportSessions } from './support-sessions.tsx'

interface Props {
  session: AuthSession | null
  /** The support sessions that are open on the account. */
  support: KeyListItem[]
  renderedAt: number
  children: ReactNode
}

/** The frame of every page of an account: whose account it is, who else uses it, and links to the other pages. */
export function AccountFrame({ session, support, renderedAt, children }: Props) {
  return (
    <AccountChanges>
      <SupportSessions {...{ session, renderedAt }} initial={support}>
        <Frame session={session}>{children}</Frame>
      </SupportSessions>
    </AccountChanges>
  )
}

function Frame({ session, children }: Pick<Props, 'session' | 'children'>) {
  const paths = usePaths()
  const say = useSay()
  return (
    <div className="svc-page svc-account">
      <section aria-label={say('Your account')}>
        {session && (
          <p className="svc-note svc-break">
            <span className="svc-ink">{session.email ?? session.phone ?? session.publicId}</span>
            {' · '}
            {say.fromApi(session.role.displayName)}
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
        <SupportNotice />
        <RemovalNotice />
      </section>
      {children}
    </div>
  )
}

function AccountTabs() {
  const say = useSay()
  const paths = usePaths()
  const path = usePathname()
  const tabs = [
    { href: paths.profile, label: say('Profile') },
    { href: paths.devices, label: say('Devices') },
    { href: paths.agents, label: say('Agents') },
    { href: paths.security, label: say('Security') },
  ]
  // These have pages of their own beneath them.
  const above = isUnder(path, paths.approvals) ? paths.agents : path
  const current = isUnder(path, paths.security) ? paths.security : above
  return <LinkTabs label={say('Account')} tabs={tabs} current={current} />
}
