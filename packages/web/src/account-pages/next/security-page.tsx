import type { ReactNode } from 'react'
import { requireSession } from '../../guards/guards.ts'
import { SecurityView } from '../account/security-panels.tsx'
import { accountPaths } from '../provider/account-paths.ts'
import { type AccountPageProps, guarded } from './page-props.ts'
import { webProviders } from './server-account.ts'

/** The page's place and slots, and your own panels and rows. */
export interface SecurityPageProps extends AccountPageProps {
  /** Panels of your application. */
  more?: ReactNode
  /** Rows of your application for when something is wrong: each is a `Setting`. */
  ifWrong?: ReactNode
}

/** How the user signs in and stays signed in. */
export async function SecurityPage(given: SecurityPageProps) {
  const { guard, slots } = guarded(given, accountPaths.security)
  const session = await requireSession(guard)
  const providers = await webProviders()
  const { more, ifWrong } = given
  return (
    <SecurityView {...slots} {...{ session, providers, more, ifWrong }} renderedAt={Date.now()} />
  )
}
