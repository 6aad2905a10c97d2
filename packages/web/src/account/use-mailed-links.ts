import {
  authApi,
  InvalidSignupLinkError,
  InvalidSignupSetupSessionError,
  PasswordResetLinkError,
  PasswordResetSessionError,
  type ProxiedLoginResult,
  withWork,
} from '@svc/auth'
import { UnauthorizedError, ValidationError } from '@svc/core/client'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { OpenedLink } from '../guards/guards.ts'
import { returnPath as pathOf } from '../page/client.ts'
import { type SendProof, sendProof } from './send-proof.ts'
import { useAction } from './use-action.ts'

interface UseSignupLinkRequestOptions extends LinkRequestOptions {
  api?: Pick<typeof authApi, 'requestSignupLink'>
}

/** Requests a link to sign up. The answer is the same whether or not the address has an account. */
export function useSignupLink({ api = authApi, ...options }: UseSignupLinkRequestOptions = {}) {
  return useLinkRequest((body) => api.requestSignupLink.call({ body }), options)
}

interface UseSignupLinkCompleteOptions extends PasswordSetupOptions {
  /** The account is open, and this browser is signed in to it. */
  onSignedUp: (returnPath: string) => void
  api?: Pick<typeof authApi, 'confirmSignupLink' | 'completeSignup'>
}

/** The page that a signup link leads to. */
export function useCompleteSignup({
  onSignedUp,
  api = authApi,
  ...given
}: UseSignupLinkCompleteOptions) {
  return usePasswordSetup(given, {
    open: (token) => api.confirmSignupLink.call({ body: { token } }),
    complete: async (password, { returnPath }) => {
      await api.completeSignup.call({ body: { password } })
      onSignedUp(returnPath)
    },
    isOver: (error) =>
      error instanceof InvalidSignupLinkError || error instanceof InvalidSignupSetupSessionError,
  })
}

interface UsePasswordResetRequestOptions extends LinkRequestOptions {
  api?: Pick<typeof authApi, 'requestPasswordReset'>
}

/**
 * Requests a link to set a new password. The answer is the same whether or not there is an account.
 */
export function usePasswordReset({
  api = authApi,
  ...options
}: UsePasswordResetRequestOptions = {}) {
  return useLinkRequest((body) => api.requestPasswordReset.call({ body }), options)
}

interface UsePasswordResetCompleteOptions extends PasswordSetupOptions {
  /**
   * The password is set, and the user is signed in. If `mfaRequired` is true, not before they prove
   * a second factor.
   */
  onAnswer: (result: ProxiedLoginResult, returnPath: string) => void | Promise<void>
  api?: Pick<typeof authApi, 'confirmPasswordReset' | 'completePasswordReset'>
}

/** The page that a reset link leads to. Setting the password signs every other device out. */
export function useCompletePasswordReset({
  onAnswer,
  api = authApi,
  ...given
}: UsePasswordResetCompleteOptions) {
  return usePasswordSetup(given, {
    open: (token) => api.confirmPasswordReset.call({ body: { token } }),
    complete: async (password, { returnPath }) => {
      await onAnswer(await api.completePasswordReset.call({ body: { password } }), returnPath)
    },
    isOver: (error) =>
      error instanceof PasswordResetLinkError || error instanceof PasswordResetSessionError,
  })
}

/** Where a link was sent, and until when it works. */
export interface RequestedLink {
  readonly email: string
  readonly expiresAt: Date
}

/** Where a mailed link leads back to, and a proof against abuse if your API asks for one. */
export interface LinkRequestOptions extends SendProof {
  /** The page to go to after the link was used: a path of the app. */
  returnPath?: string | undefined
}

interface Body {
  email: string
  returnPath?: string
  proof?: string
  work?: string
}

type Ask = (body: Body) => Promise<{ expiresAt: string }>

/** Requests a link by mail. A new request ends the link before. */
function useLinkRequest(ask: Ask, { returnPath, proof }: LinkRequestOptions) {
  const [sent, setSent] = useState<RequestedLink | null>(null)
  const sending = useAction(async (email: string) => {
    const to = { email, ...(returnPath !== undefined && { returnPath }) }
    const body = { ...to, ...(await sendProof(proof)) }
    const { expiresAt } = await withWork((work) => ask({ ...body, ...work }))
    setSent({ email, expiresAt: new Date(expiresAt) })
    return email
  })
  const { reset } = sending
  /** Asks for an address again. */
  const startOver = useCallback(() => {
    setSent(null)
    reset()
  }, [reset])
  return { sent, sending, startOver }
}

/**
 * The token of a mailed link, from the page's address. It is removed from there when the page
 * opens, so that neither the history nor a Referer keeps it. The returned function reads
 * it.
 */
export function useLinkToken() {
  const token = useRef('')
  useEffect(() => {
    const given = new URL(location.href).searchParams.get('token')
    if (given === null) return
    token.current = given
    // Next's router listens from the end of this turn on, and would restore an address that it saw
    // before.
    queueMicrotask(forgetToken)
  }, [])
  return useCallback(() => token.current, [])
}

function forgetToken() {
  const url = new URL(location.href)
  const { search } = url
  url.searchParams.delete('token')
  // A router keeps the search in the state of the entry, and would copy it from there.
  const state = JSON.stringify(history.state).replaceAll(search, url.search)
  history.replaceState(JSON.parse(state), '', url)
  history.replaceState(null, '', url)
}

/** What the page of a mailed link knows when it opens. */
export interface PasswordSetupOptions {
  /** The address of the page has a `token`. */
  hasToken: boolean
  /** What a link has opened in this browser before: `getOpenedLink` of `@svc/web/next`. */
  opened: OpenedLink | null
  /**
   * The link is spent. A router that keeps pages renders this one again here, so that going back
   * leads to the password.
   */
  onOpened?: () => void
}

interface Operations {
  open: (token: string) => Promise<OpenedLink>
  /** Sets the password of what the link has opened. */
  complete: (password: string, opened: OpenedLink) => Promise<void>
  /** Whether the link, or what it had opened, is no longer valid. */
  isOver: (error: unknown) => boolean
}

/**
 * - `unopened`: there is a link. `opening` spends it, so use a button: mail programs open links
 * before people do. - `opened`: `completing` sets the password. - `over`: there is no valid link.
 * The user can request another one.
 */
export type PasswordSetupStage = 'unopened' | 'opened' | 'over'

/** The page that a mailed link leads to, where a password is set. */
function usePasswordSetup(
  { hasToken, opened: before, onOpened }: PasswordSetupOptions,
  { open, complete, isOver }: Operations,
) {
  const token = useLinkToken()
  // Only the first render knows this: after it, the token is gone.
  const [hadToken, setHadToken] = useState(hasToken)
  useEffect(() => setHadToken(token() !== ''), [token])
  const [now, setNow] = useState<OpenedLink | null>(null)
  const opening = useAction(async () => {
    const { email, returnPath: path } = await open(token())
    setNow({ email, returnPath: pathOf(path) })
    onOpened?.()
  })
  // A user who opens a link twice continues with what it opened the first time.
  const isSpent = !hadToken || isRefusal(opening.error, isOver)
  const opened = now ?? (isSpent ? before : null)
  const completing = useAction(async (password: string) => {
    if (opened) await complete(password, opened)
  })
  // The proxy refuses the call if the browser no longer has the cookie.
  const isEnded = isOver(completing.error) || completing.error instanceof UnauthorizedError
  return { stage: stageOf(opened, { isSpent, isEnded }), opened, opening, completing }
}

/** A token of the wrong form is refused by its schema. */
function isRefusal(error: unknown, isOver: Operations['isOver']) {
  return isOver(error) || error instanceof ValidationError
}

function stageOf(
  opened: OpenedLink | null,
  { isSpent, isEnded }: { isSpent: boolean; isEnded: boolean },
): PasswordSetupStage {
  if (isEnded) return 'over'
  if (opened) return 'opened'
  return isSpent ? 'over' : 'unopened'
}
