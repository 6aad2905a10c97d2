import { authApi } from '@svc/auth'
import { createElement, type ReactNode, useEffect, useRef, useState } from 'react'
import { returnPath } from '../page/client.ts'
import { failureOfCallback, failureOfFinalize, type OAuthFailure } from './oauth-failure.ts'

export { failureOfCallback, type OAuthFailure, type OAuthFailureReason } from './oauth-failure.ts'
export { useSocialAccounts } from './use-social-accounts.ts'
export { useSocialSignIn } from './use-social-sign-in.ts'

/** The state of a sign-in after the callback. When it succeeds, the page is left. */
export type OAuthProgress =
  | { readonly state: 'working' }
  | ({ readonly state: 'failed' } & OAuthFailure)

/** Where the callback leads, and what it shows. */
export interface OAuthCallbackProps {
  /** What the page shows meanwhile, or when it has failed. Without it, a sentence and a link to `loginPath`. */
  children?: (progress: OAuthProgress) => ReactNode
  /** The page to start again on. `/login` unless set. */
  loginPath?: string
  /** Where to go if the sign-in was started without a return path. `/` unless set. */
  path?: string
  /** The page that asks for a second factor. `/auth/mfa` unless set. */
  mfaPath?: string
  /**
   * Loads the new page from the server unless set: what the server rendered before was for a
   * signed-out user.
   */
  navigate?: (path: string) => void
  api?: Pick<typeof authApi, 'finalize'>
}

/**
 * The page of a provider's callback: it finishes the sign-in, once, and leads to where it began.
 */
export function OAuthCallback({ children, ...given }: OAuthCallbackProps): ReactNode {
  const { loginPath = '/login' } = given
  const [progress, setProgress] = useState<OAuthProgress>({ state: 'working' })
  const latest = useRef(given)
  latest.current = given
  const isBegun = useRef(false)
  useEffect(() => {
    // Strict mode runs effects twice, and a pending sign-in can be finalized only once.
    if (isBegun.current) return
    isBegun.current = true
    void finish(latest.current).then((failure) => {
      if (failure) setProgress({ state: 'failed', ...failure })
    })
  }, [])
  return children ? children(progress) : plainly(progress, loginPath)
}

function plainly(progress: OAuthProgress, loginPath: string) {
  if (progress.state === 'working') return createElement('p', { role: 'status' }, 'Signing you in…')
  return createElement(
    'div',
    null,
    createElement('p', { role: 'alert' }, progress.message),
    createElement('a', { href: loginPath }, 'Back to sign-in'),
  )
}

type Given = Omit<OAuthCallbackProps, 'children'>

async function finish({ navigate = replacePage, ...given }: Given): Promise<OAuthFailure | null> {
  const error = new URLSearchParams(location.search).get('error')
  if (error !== null) return failureOfCallback(error)
  try {
    navigate(await nextPath(given))
    return null
  } catch (failure) {
    return failureOfFinalize(failure)
  }
}

async function nextPath({ path = '/', mfaPath = '/auth/mfa', api = authApi }: Given) {
  const { mfaRequired, returnUrl } = await api.finalize.call({ body: {} })
  const back = returnPath(returnUrl)
  const next = back === '/' ? path : back
  return mfaRequired ? `${mfaPath}?${new URLSearchParams({ returnTo: next })}` : next
}

function replacePage(path: string) {
  location.replace(path)
}
