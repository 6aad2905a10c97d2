import { authApi, type ProxiedLoginResult } from '@svc/auth'
import type { CallOptions } from '@svc/core/client'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useAction } from './use-action.ts'

/** What a user signs in with: a password, or a code that was sent to their address or number. */
export type Credentials =
  | { email: string; password: string }
  /** What `verifyCode` returned for the purpose `login`. */
  | { email: string; verificationToken: string }
  | { phone: string; verificationToken: string }

interface Options {
  /** The user is signed in. If `mfaRequired` is true, not before they prove a second factor. */
  onAnswer: (result: ProxiedLoginResult) => void | Promise<void>
  api?: Pick<typeof authApi, 'login'>
}

/**
 * Signs in through the web app's proxy, which makes the key and keeps the session. While many people sign in, it waits
 * for its place in line and then continues by itself. `comesAt` is the time of this retry.
 */
export function useSignIn({ onAnswer, api = authApi }: Options) {
  const { comesAt, inTurn } = useTurn()
  const signIn = useAction(async (credentials: Credentials) => {
    await onAnswer(await inTurn((options) => api.login.call({ body: credentials }, options)))
  })
  return { ...signIn, comesAt }
}

/** Signs this browser out. */
export function useSignOut({
  onSignedOut,
  api = authApi,
}: {
  onSignedOut: () => void
  api?: Pick<typeof authApi, 'logout'>
}) {
  return useAction(async () => {
    await api.logout.call()
    onSignedOut()
  })
}

/**
 * What a call does while the server keeps a place in line for it: `comesAt` is when the call is sent again by itself, in
 * milliseconds since 1970. Leaving the page aborts the call.
 */
function useTurn() {
  const [comesAt, setComesAt] = useState<number | null>(null)
  const running = useRef<AbortController | null>(null)
  useEffect(() => () => running.current?.abort(), [])

  const inTurn = useCallback(async <Result>(call: (options: CallOptions) => Promise<Result>) => {
    const own = new AbortController()
    running.current = own
    try {
      return await call({
        signal: own.signal,
        onWait: ({ millis }) => setComesAt(Date.now() + millis),
      })
    } finally {
      setComesAt(null)
    }
  }, [])
  return { comesAt, inTurn }
}
