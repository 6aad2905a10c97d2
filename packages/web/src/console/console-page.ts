import type { AuthContract } from '@svc/auth'
import { authRouteMap } from '@svc/auth'
import type { Api } from '@svc/core/client'
import type { ReactNode } from 'react'
import { createServerApi } from '../guards/guards.ts'

export { consolePaths } from './console-paths.ts'

/** Where a page of the console is, and what a user without its permission sees. */
export interface ConsolePageProps {
  /** Where the page is, if elsewhere than in the starter. */
  path?: string
  /** Where users sign in. `/login` unless set. */
  loginPath?: string
  /** Shown to a user without the permission. */
  denied?: ReactNode
}

/** The operations of sign-in, as the visitor. */
export const serverAuthApi: () => Api<AuthContract> = createServerApi<AuthContract>({
  routeMap: authRouteMap,
})
