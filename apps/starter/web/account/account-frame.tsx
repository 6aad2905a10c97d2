import type { AuthSession } from '@svc/auth'
import type { ReactNode } from 'react'
import { TextLink } from '../ui/text-link.tsx'
import { AccountTabs } from './account-tabs.tsx'

interface Props {
  session: AuthSession | null
  children: ReactNode
}

/** Around every page of an account: whose it is, and the way to the others. */
export function AccountFrame({ session, children }: Props) {
  return (
    <div className="pt-6 pb-16">
      {session && (
        <p className="break-words text-faded text-sm">
          <span className="text-ink">{session.email ?? session.phone ?? session.publicId}</span>
          {' · '}
          {session.role.displayName}
        </p>
      )}
      <AccountTabs />
      {session?.passwordChangeRequired && (
        <p className="mt-6 rounded-xl border border-edge bg-sheet p-5 text-sm">
          <strong className="font-medium">Change your password:</strong> someone else may know it.{' '}
          <TextLink href="/account/security">Change it</TextLink>
        </p>
      )}
      {children}
    </div>
  )
}
