import { authApi, type ProxiedLoginResult } from '@svc/auth'
import { useFactorProof } from './use-factor-proof.ts'

interface Options {
  /** Somebody is signed in. */
  onAnswer: (result: ProxiedLoginResult) => void | Promise<void>
  api?: Pick<typeof authApi, 'mfaVerify' | 'mfaVerifyOptions'>
}

/**
 * The page that finishes a sign-in which waits for the second factor: `proving` takes `{ code }` or `{ recoveryCode }`,
 * `provingByPasskey` opens the browser's dialog. Which sign-in is meant is in a cookie of the proxy.
 */
export function useSecondFactor({ onAnswer, api = authApi }: Options) {
  return useFactorProof({
    options: () => api.mfaVerifyOptions.call({ body: {} }),
    prove: async (body) => onAnswer(await api.mfaVerify.call({ body })),
  })
}
