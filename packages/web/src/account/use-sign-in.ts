import { authApi, type ProxiedLoginResult } from '@svc/auth'
import { useAction } from './use-action.ts'
import { useTurn } from './use-turn.ts'

export type Credentials =
  | { email: string; password: string }
  /** What `verifyCode` answered for the purpose `login`. */
  | { email: string; verificationToken: string }
  | { phone: string; verificationToken: string }

interface Options {
  /** Somebody is signed in; before a second factor is proved, `mfaRequired` is true and nobody is. */
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
