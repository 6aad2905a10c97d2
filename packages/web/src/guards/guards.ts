import type { AuthSession } from '@svc/auth'
import { headers } from 'next/headers.js'
import { redirect } from 'next/navigation.js'
import type { ReactNode } from 'react'
import { pendingOAuth, pendingSignIn, setupNamed } from '../auth-operations/auth-operations.ts'
import { notePageFailure } from '../outage/outage.ts'
import { returnPath } from '../page/client.ts'
import { sharedWebAuth } from '../web-auth.ts'
import { visitor, wayIn } from './visitor.ts'

export { partFailure } from './part-failure.ts'
export { authRewrites } from './rewrites.ts'
export { createServerApi, refusePage, type ServerApiOptions } from './server-api.ts'
export { type LackingState, stateAfter, stateWithout, visitor, wayIn } from './visitor.ts'

/** What a guard shows, and where it sends a user who is not signed in. */
export interface GuardProps {
  children: ReactNode
  /** Where signed-out users are sent. `/login` unless set. */
  loginPath?: string
  /** The page's own address. The user comes back to it after signing in. */
  returnTo?: string
}

/** What `GuardProps` has, and what a signed-in user without the role or permission gets instead. */
export interface PermitProps extends GuardProps {
  /** Where signed-in users without the role or permission are sent. `/` unless set. */
  deniedPath?: string | undefined
  /** What they see instead of the page. Behind the front it has status 403. */
  denied?: ReactNode
}

/** The session of the signed-in user, or null. */
export async function getSession(): Promise<AuthSession | null> {
  const found = await visitor()
  return found.state === 'signed in' ? found.session : null
}

/** Whether this device was signed out elsewhere, and the user hasn't been told yet. */
export async function hasSessionEnded(): Promise<boolean> {
  return (await visitor()).state === 'ended'
}

/** Whether the user has a bound session whose key has expired, so that it can be renewed. */
export async function isSessionToRenew(): Promise<boolean> {
  return (await visitor()).state === 'to renew'
}

/**
 * The session of the signed-in user. All others are sent to sign in, or to renew a bound session
 * (A-325).
 */
export async function requireSession({
  loginPath = '/login',
  returnTo,
}: Omit<GuardProps, 'children'> = {}): Promise<AuthSession> {
  const found = await visitor()
  if (found.state === 'signed in') return found.session
  return redirect(wayIn(sharedWebAuth(), found.state, { loginPath, returnTo }))
}

/** Shows its children to signed-in users only. */
export async function RequireAuth({ children, ...given }: GuardProps): Promise<ReactNode> {
  await requireSession(given)
  return children
}

/** Shows its children to users with one of the roles. */
export async function RequireRole({
  roles,
  children,
  deniedPath,
  denied,
  ...given
}: PermitProps & { roles: readonly string[] }): Promise<ReactNode> {
  const { roles: held } = await requireSession(given)
  const isPermitted = held.some(({ name }) => roles.includes(name))
  return isPermitted ? children : deny({ deniedPath, denied })
}

/** Shows its children to users with all of the permissions. */
export async function RequirePermission({
  permissions,
  children,
  deniedPath,
  denied,
  ...given
}: PermitProps & { permissions: readonly string[] }): Promise<ReactNode> {
  const held = new Set((await requireSession(given)).permissions)
  const isPermitted = permissions.every((permission) => held.has(permission))
  return isPermitted ? children : deny({ deniedPath, denied })
}

function deny({ deniedPath = '/', denied }: Pick<PermitProps, 'deniedPath' | 'denied'>): ReactNode {
  if (denied === undefined) return redirect(deniedPath)
  notePageFailure({ status: 403, insteadOf: 200 })
  return denied
}

/**
 * Whether this browser has started a sign-in with a provider and has not finished it. Otherwise
 * there is nothing for `OAuthCallback` to finish.
 */
export async function isBackFromProvider(): Promise<boolean> {
  const { cookies } = sharedWebAuth()
  return cookies.valueOf((await headers()).get('cookie'), pendingOAuth.name) !== null
}

/**
 * What a mailed link has opened: the account whose password can be set, and where the user goes
 * then.
 */
export interface OpenedLink {
  readonly email: string
  readonly returnPath: string
}

/** `signup` and `password reset` are ours. A capability of yours names others in its contract. */
type SetupKind = 'signup' | 'password reset' | (string & {})

/**
 * What a link has opened in this browser, until the setup expires. Null if there is none. A page
 * that is reloaded continues with it.
 */
export async function getOpenedLink(kind: SetupKind): Promise<OpenedLink | null> {
  const { cookies, sealer } = sharedWebAuth()
  const { name, purpose } = setupNamed(kind.replaceAll(' ', '_'))
  const value = cookies.valueOf((await headers()).get('cookie'), name)
  const opened = value && (await sealer.open(purpose, value, Date.now()))
  if (!opened) return null
  const { email, returnPath: path } = opened.content
  return { email, returnPath: returnPath(path) }
}

/** A sign-in that waits for its second factor. */
export interface WaitingSignIn {
  readonly expiresAt: Date
}

/**
 * The sign-in that waits in this browser, or null if there is none: then the page has nothing to
 * ask.
 */
export async function getWaitingSignIn(): Promise<WaitingSignIn | null> {
  const { cookies, sealer } = sharedWebAuth()
  const { name, purpose } = pendingSignIn
  const value = cookies.valueOf((await headers()).get('cookie'), name)
  const held = value && (await sealer.open(purpose, value, Date.now()))
  if (!held) return null
  const { expiresAtMillis } = held.content
  // The cookie may live a moment longer than its content.
  return expiresAtMillis > Date.now() ? { expiresAt: new Date(expiresAtMillis) } : null
}
