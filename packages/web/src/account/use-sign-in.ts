import { authApi, type ProxiedLoginResult } from '@svc/auth'
import { useAction } from './use-action.ts'

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

/** Signs in through the web app's proxy, which makes the key and keeps the session. */
export function useSignIn({ onAnswer, api = authApi }: Options) {
  return useAction(async (credentials: Credentials) => {
    await onAnswer(await api.login.call({ body: credentials }))
  })
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
